import { spawn } from "node:child_process"

const WINDOWS = process.platform === "win32"
const LONGEST_ANSWER = 64 * 1024 * 1024
const MOST_REMEMBERED = 500
const MOST_RETRIES = 10 // a handler that never lets the agent stop would spend money without end

/** What the program answers to `payload` at `event`: an object, empty when it says nothing, fails or takes too long. */
function ask(event, payload) {
  const { command, timeout } = CONFIG.hooks[event]
  return new Promise((resolve) => {
    let text = ""
    let timer
    let child
    const finish = (answer) => {
      clearTimeout(timer)
      child?.stdout?.destroy()
      child?.unref()
      resolve(answer)
    }
    try {
      const input = JSON.stringify(payload)
      child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "ignore"], detached: !WINDOWS, windowsHide: true })
      timer = setTimeout(() => {
        stop(child)
        finish({})
      }, timeout)
      child.on("error", () => finish({}))
      child.on("close", () => finish(parsed(text)))
      // A process that the program left behind may hold its output open: the program's own end counts.
      child.on("exit", () => setTimeout(() => finish(parsed(text)), 200))
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (chunk) => {
        if (text.length < LONGEST_ANSWER) text += chunk
      })
      child.stdin.on("error", () => {})
      child.stdin.end(input)
    } catch {
      finish({})
    }
  })
}

function parsed(text) {
  try {
    const answer = JSON.parse(text)
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

/** End the program and what it started. */
function stop(child) {
  try {
    if (WINDOWS) spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () => {})
    else process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value) => typeof value === "string" && value !== ""

/** The host keeps its own reference to the arguments, so they are changed in place: a new object would be ignored. */
function replaceArguments(args, wanted) {
  for (const key of Object.keys(args)) if (!(key in wanted)) delete args[key]
  Object.assign(args, wanted)
}

/** Keep `key`, and forget the oldest one where there are too many. */
function remember(table, key, value) {
  if (table.size >= MOST_REMEMBERED) table.delete(table.keys().next().value)
  if (table instanceof Map) table.set(key, value)
  else table.add(key)
}
