// Stands in for the host: loads plugin modules, calls their hooks in the order that stdin says, prints what came of it.
import { pathToFileURL } from "node:url"

const { plugins, input, steps } = JSON.parse(await new Response(process.stdin).text())
const calls = []
const called = (name) => async (options) => void calls.push({ name, ...options })
const client = {
  session: { promptAsync: called("promptAsync") },
  postSessionIdPermissionsPermissionId: called("postSessionIdPermissionsPermissionId"),
}
const loaded = []
for (const file of plugins) {
  const module = await import(pathToFileURL(file))
  if (Object.keys(module).join() !== "default") throw new Error("a plugin that exports more than its default is dropped")
  loaded.push(await module.default.server({ ...input, client }))
}

const results = []
for (const { hook, args, until } of steps) {
  while (until && calls.length < until) await new Promise((resolve) => setTimeout(resolve, 10))
  if (until) continue
  const held = args?.[1]?.args // the host goes on with its own reference
  let error
  for (const hooks of loaded) {
    try {
      await (hooks[hook]?.run ?? hooks[hook])?.(...(args ?? [])) // MiMoCode's hooks may come with a matcher
    } catch (problem) {
      error ??= problem.message
    }
  }
  results.push({ hook, output: args?.[1], held, error })
}
console.log(JSON.stringify({ results, calls, hooks: Object.keys(loaded[0]) }))
