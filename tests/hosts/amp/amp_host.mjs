// Stands in for Amp: loads a plugin, calls its handlers in the order that stdin says, prints what each gave back.
import { pathToFileURL } from "node:url"

const { plugins, steps, granted } = JSON.parse(await new Response(process.stdin).text())
const handlers = {}
const ends = []
const amp = { on: (name, handler) => (handlers[name] ??= []).push(handler), onDispose: (end) => ends.push(end) }
for (const file of plugins) (await import(pathToFileURL(file))).default(amp)
const confirm = async () => {
  if (granted === null) throw new Error("PluginUINotAvailable")
  return granted
}
const results = []
for (const [name, event] of steps) {
  const given = []
  for (const handler of handlers[name]) given.push((await handler(event, { ui: { confirm } })) ?? null)
  results.push(given)
}
for (const end of ends) await end()
console.log(JSON.stringify(results))
