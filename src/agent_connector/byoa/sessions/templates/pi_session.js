// Lets apps that you paired join this session: made by `agent-connector byoa attach @HOST@`, taken out with `--remove`.
// It brings what happens in the session to that program, over a private socket, and what apps send back. While no
// `attach` runs it does nothing but look for the file below. It needs nothing but Node, and keeps nothing.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";

const HOST = "@HOST@";
const PLACE = @PLACE@; // says where `attach` listens
const LOOK_EVERY = 2000;
const SETTLE_EVERY = 50;
const EFFORTS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

export default function (pi) {
  let ctx; // of the newest event: an older one may stand for a session that is over
  let looking;
  let settling;
  let link; // { socket, id }: the way to `attach`, and the session that it was told of
  let tools = [];
  const calls = new Map(); // tool calls that wait for an app
  let called = 0;

  const send = (message) => link?.id && link.socket.write(JSON.stringify(message) + "\n");
  const content = (message) => (Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content }]);
  const text = (message) => content(message).filter((part) => part.type === "text").map((part) => part.text).join("");
  const name = (model) => (model ? `${model.provider}/${model.id}` : "");
  const open = () => ctx.mode === "tui" && ctx.hasUI; // a person looks at it; a subagent's session has no terminal

  const state = () => ({
    title: ctx.sessionManager.getSessionName?.() ?? "",
    model: name(ctx.model),
    effort: pi.getThinkingLevel?.() ?? "",
    efforts: ctx.model?.reasoning ? EFFORTS : [],
  });

  function hello() {
    const models = ctx.scopedModels?.length ? ctx.scopedModels.map((each) => each.model) : ctx.modelRegistry.getAvailable();
    link.id = ctx.sessionManager.getSessionId();
    send({ type: "session", host: HOST, id: link.id, version: version(), cwd: ctx.cwd, idle: ctx.isIdle(), ...state(), models: models.map(name) });
  }

  // The way to `attach`.

  function look() {
    if (link || !ctx || !open() || !existsSync(PLACE)) return;
    let place;
    try {
      place = JSON.parse(readFileSync(PLACE, "utf8"));
    } catch {
      return; // it is just being written, or removed
    }
    const socket = connect(place.address);
    const mine = (link = { socket, id: "" });
    let held = "";
    socket.setEncoding("utf8");
    socket.unref();
    socket.on("error", () => {}); // `close` follows
    socket.on("connect", () => {
      socket.write(place.key + "\n");
      attempt(hello);
    });
    socket.on("data", (piece) => {
      const lines = (held + piece).split("\n");
      held = lines.pop();
      for (const line of lines) attempt(() => take(JSON.parse(line)));
    });
    socket.on("close", () => {
      if (link !== mine) return;
      link = undefined;
      for (const call of calls.values()) call.reject(new Error("agent-connector is not attached any more"));
      calls.clear();
      attempt(() => ctx.ui.setStatus("agent-connector", undefined));
      attempt(() => pi.setActiveTools(pi.getActiveTools().filter((each) => !tools.includes(each))));
    });
  }

  function leave() {
    clearInterval(looking);
    clearTimeout(settling);
    link?.socket.destroy();
  }

  function attempt(act) {
    try {
      const done = act();
      done?.catch?.(() => {});
    } catch {
      // what an app wants must not disturb the session
    }
  }

  // What apps send.

  function take(message) {
    switch (message.type) {
      case "submit":
        return submit(message.text);
      case "abort":
        return ctx.abort();
      case "model":
        return pi.setModel(ctx.modelRegistry.find(...message.name.split(/\/(.*)/s, 2)));
      case "effort":
        return pi.setThinkingLevel(message.name);
      case "tools":
        tools = message.tools.map((tool) => tool.name);
        return message.tools.forEach(offer);
      case "result":
        return answer(message);
      case "toast":
        return ctx.ui.notify(message.text, "info");
      case "band":
        return ctx.ui.setStatus("agent-connector", message.text || undefined);
    }
  }

  // A plain user message: neither commands nor templates in it are looked for.
  async function submit(prompt) {
    try {
      if (!ctx.isIdle()) throw new Error("busy");
      await pi.sendUserMessage(prompt);
    } catch {
      send({ type: "refused" });
    }
  }

  function offer(tool) {
    pi.registerTool({
      name: tool.name,
      label: tool.name,
      description: tool.description,
      parameters: JSON.parse(tool.schema),
      loadMode: "essential", // OMP's word for a tool that the model sees at once
      execute: (id, params, signal) =>
        new Promise((resolve, reject) => {
          const number = ++called;
          if (!link) return reject(new Error("agent-connector is not attached any more"));
          calls.set(number, { resolve, reject });
          signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
          send({ type: "call", number, name: tool.name, arguments: params ?? {} });
        }),
    });
  }

  function answer({ number, content, isError }) {
    const call = calls.get(number);
    calls.delete(number);
    if (isError) call?.reject(new Error(content.map((part) => part.text ?? "").join("\n")));
    else call?.resolve({ content, details: {} });
  }

  // What happens in the session.

  function on(event, tell) {
    pi.on(event, (told, now) => {
      ctx = now;
      attempt(() => {
        if (link?.id && link.id !== ctx.sessionManager.getSessionId()) hello(); // a new conversation in the same process
        tell(told);
      });
    });
  }

  on("session_start", () => {
    clearInterval(looking);
    looking = setInterval(() => attempt(look), LOOK_EVERY);
    looking.unref?.();
    look();
  });
  on("session_switch", () => {});
  on("session_shutdown", leave);
  on("agent_start", () => {
    clearTimeout(settling);
    send({ type: "busy" });
    send({ type: "state", ...state() });
  });
  on("message_start", ({ message }) => {
    if (message.role === "user") send({ type: "prompt", text: text(message) });
    if (message.role === "assistant") send({ type: "answer" });
  });
  on("message_update", ({ assistantMessageEvent: piece }) => {
    if (piece?.type === "text_delta") send({ type: "delta", text: piece.delta });
  });
  on("message_end", ({ message }) => {
    if (message.role === "assistant") send({ type: "answered", text: text(message), stop: message.stopReason ?? "" });
  });
  on("tool_execution_start", ({ toolName, parentToolCallId }) => {
    if (!parentToolCallId) send({ type: "tool", name: toolName });
  });
  on("input", ({ text: typed, source }) => {
    if (source === "interactive" && !ctx.isIdle() && !typed.startsWith("/")) send({ type: "typed" });
  });
  for (const [event, waits] of [
    ["ui_prompt_start", true],
    ["ui_prompt_end", false],
    ["tool_approval_requested", true],
    ["tool_approval_resolved", false],
  ])
    on(event, () => send({ type: "waits", waits }));
  for (const event of ["model_select", "thinking_level_select", "session_info_changed"])
    on(event, () => send({ type: "state", ...state() }));
  on("agent_settled", ({ aborted }) => send({ type: "idle", aborted: Boolean(aborted) }));
  // OMP has no such event: a run that ended may be followed by another one at once.
  on("agent_end", () => {
    if (HOST !== "omp") return;
    const settle = () => {
      if (ctx.isIdle()) send({ type: "idle", aborted: false });
      else settling = setTimeout(() => attempt(settle), SETTLE_EVERY);
    };
    clearTimeout(settling);
    settling = setTimeout(() => attempt(settle), SETTLE_EVERY);
  });
}

// The program's own version, from the package that it runs from.
function version() {
  try {
    let folder = dirname(realpathSync(process.argv[1]));
    while (folder !== dirname(folder)) {
      const file = join(folder, "package.json");
      if (existsSync(file)) {
        const found = JSON.parse(readFileSync(file, "utf8"));
        if (found.name?.endsWith("/pi-coding-agent")) return found.version;
      }
      folder = dirname(folder);
    }
  } catch {
    // a compiled program
  }
  return "";
}
