// The guard of an unattended run: every tool call is judged by a program first. It fails closed: what is not allowed in
// plain words is denied, also when the program is gone, fails, or takes too long.
import { spawn } from "node:child_process"

const CONFIG = {}

function judged(payload) {
  return new Promise((resolve) => {
    const broken = () => resolve({ guard: "denied", reason: CONFIG.broken })
    try {
      const child = spawn(CONFIG.command, { shell: true, stdio: ["pipe", "pipe", "ignore"] })
      let text = ""
      const timer = setTimeout(() => (child.kill("SIGKILL"), broken()), CONFIG.timeout)
      child.on("error", broken)
      child.stdout.on("data", (chunk) => (text += chunk))
      child.on("close", () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(text))
        } catch {
          broken()
        }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      broken()
    }
  })
}
