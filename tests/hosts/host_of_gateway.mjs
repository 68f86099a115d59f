// Stands in for OpenClaw: loads plugins, calls their typed hooks and commands in the order that stdin says, prints what they answered.
import { pathToFileURL } from "node:url"

const { plugins, steps, loads = 1 } = JSON.parse(await new Response(process.stdin).text())
const handlers = new Map()
const limits = {}
const commands = {}
const api = {
  on(name, handler, options) {
    handlers.set(name, [...(handlers.get(name) ?? []), handler])
    limits[name] = options.timeoutMs
  },
  registerCommand({ name, handler, ...rest }) {
    commands[name] = rest
    handlers.set(`/${name}`, [handler])
  },
}
for (const file of plugins.flatMap((one) => Array.from({ length: loads }, (_, again) => `${pathToFileURL(one)}?${again}`))) {
  const { default: plugin } = await import(file)
  const registered = plugin.register(api)
  if (registered !== undefined) throw new Error("a plugin registers synchronously")
}
const results = []
for (const { hook, args } of steps) {
  let answer
  for (const handler of handlers.get(hook) ?? []) answer = (await handler(...(args ?? []))) ?? answer
  results.push({ hook, answer, gone: Object.keys(answer?.params ?? {}).filter((key) => answer.params[key] === undefined) })
}
console.log(JSON.stringify({ results, limits, commands }))
