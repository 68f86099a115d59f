// Pi around its extension: what is said on the standard input happens in it, what the extension does is printed.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const handlers = {};
const tools = {};
const state = { mode: "tui", idle: true, id: "first", name: "", effort: "off", reasoning: false, cwd: process.cwd() };
const models = [{ provider: "p", id: "m" }, { provider: "p", id: "m2", reasoning: true }];
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
let model = models[0];
let active = ["bash"];

const pi = {
  on: (event, handler) => (handlers[event] ??= []).push(handler),
  registerTool(tool) {
    tools[tool.name] = tool;
    active = [...new Set([...active, tool.name])];
    say({ registered: tool.name, parameters: tool.parameters });
  },
  sendUserMessage: (text) => say({ submitted: text }),
  setModel(chosen) {
    model = chosen;
    say({ model: chosen.id });
    emit("model_select", {});
  },
  getThinkingLevel: () => state.effort,
  setThinkingLevel(level) {
    state.effort = level;
    emit("thinking_level_select", {});
  },
  getActiveTools: () => active,
  setActiveTools(names) {
    active = names;
    say({ active });
  },
};

const ctx = {
  get mode() {
    return state.mode;
  },
  get hasUI() {
    return state.mode === "tui";
  },
  get cwd() {
    return state.cwd;
  },
  get model() {
    return model;
  },
  scopedModels: [],
  sessionManager: { getSessionId: () => state.id, getSessionName: () => state.name },
  modelRegistry: { getAvailable: () => models, find: (provider, id) => models.find((each) => each.id === id) },
  isIdle: () => state.idle,
  abort: () => say({ aborted: true }),
  ui: { notify: (text) => say({ notified: text }), setStatus: (key, text) => say({ status: text ?? null }) },
};

function emit(event, told) {
  for (const handler of handlers[event] ?? []) handler(told, ctx);
}

(await import(pathToFileURL(process.argv[2]).href)).default(pi);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  Object.assign(state, asked.set ?? {});
  if (asked.set) say({ set: asked.set });
  if (asked.emit) emit(asked.emit, asked.told ?? {});
  if (asked.call)
    tools[asked.call].execute("id", asked.arguments, undefined).then(
      (result) => say({ result }),
      (error) => say({ failed: error.message }),
    );
}
process.exit(0);
