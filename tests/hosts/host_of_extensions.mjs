// Stands in for Pi: loads extensions, tells them events in the order that stdin says, prints what they answered.
import { pathToFileURL } from "node:url"

const { plugins, steps, session = "ses-one", ui } = JSON.parse(await new Response(process.stdin).text())
const handlers = new Map()
const commands = {}
const shown = []
const pi = {
  on: (event, handler) => handlers.set(event, [...(handlers.get(event) ?? []), handler]),
  registerCommand: (name, options) => (commands[name] = options),
}
const ctx = {
  cwd: process.cwd(),
  mode: ui ? "tui" : "json",
  hasUI: Boolean(ui),
  ui: { notify: (text, kind) => shown.push({ kind, text }), confirm: async (title, text) => (shown.push({ kind: "confirm", text }), ui.confirm) },
  sessionManager: { getSessionId: () => session, getSessionFile: () => `/sessions/${session}.jsonl` },
}
for (const file of plugins) (await import(pathToFileURL(file))).default(pi)

const results = []
for (const { hook, args } of steps) {
  const [event = {}] = args ?? []
  if (hook.startsWith("/")) {
    await commands[hook.slice(1)].handler("", ctx)
    continue
  }
  let answer
  for (const handler of handlers.get(hook) ?? []) {
    const said = await handler({ type: hook, ...event, input: event.input }, ctx)
    answer = said ?? answer
  }
  results.push({ hook, answer, input: event.input })
}
console.log(JSON.stringify({ results, shown, commands: Object.keys(commands) }))
