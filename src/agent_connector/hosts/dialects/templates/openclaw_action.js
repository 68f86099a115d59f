// A command of an agent-connector connector, for the person. Generated: `agent-connector upgrade` writes it anew,
// `agent-connector uninstall` removes it.

// agent-connector:config begin
const CONFIG = { "plugin": "", "name": "", "label": "", "confirm": null, "command": "" }
// agent-connector:config end

// agent-connector:run
const YES = "yes" // a chat has no dialog: the person says it behind the command

export default {
  id: CONFIG.plugin,
  name: CONFIG.plugin,
  description: CONFIG.label,
  register(api) {
    api.registerCommand({
      name: CONFIG.name,
      description: CONFIG.label,
      acceptsArgs: true,
      requireAuth: true,
      async handler(ctx) {
        const typed = String(ctx?.args ?? "").trim()
        if (!CONFIG.confirm) return { text: told(await run(CONFIG.command, typed)) }
        const [last, ...before] = typed.split(/\s+/).reverse()
        if (last.toLowerCase() === YES) return { text: told(await run(CONFIG.command, before.reverse().join(" "))) }
        return { text: `${CONFIG.confirm} Send "/${CONFIG.name} ${typed}${typed && " "}${YES}" to go on.` }
      },
    })
  },
}
