import { spawn } from "node:child_process"

/** What the program prints, and its exit code. It gets what the person typed behind the command, which no shell reads. */
function run(command, typed, cwd) {
  return new Promise((resolve) => {
    let text = ""
    const env = { ...process.env, AGENT_CONNECTOR_ARGUMENTS: String(typed ?? "") }
    const child = spawn(command, { shell: true, cwd, env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (text += chunk))
    child.on("error", (problem) => resolve({ text: problem.message, code: 1 }))
    child.on("close", (code) => resolve({ text: text.trim(), code }))
  })
}

/** What the person is told of its end. */
const told = ({ text, code }) => text || (code ? `${CONFIG.label} failed (exit code ${code})` : `${CONFIG.label}: done`)
