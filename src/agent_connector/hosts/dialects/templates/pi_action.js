// A command of an agent-connector connector, for the person. Generated: `agent-connector upgrade` writes it anew,
// `agent-connector uninstall` removes it.

// agent-connector:config begin
const CONFIG = { "name": "", "label": "", "confirm": null, "command": "" }
// agent-connector:config end

// agent-connector:run
export default function (pi) {
  pi.registerCommand(CONFIG.name, {
    description: CONFIG.label,
    async handler(args, ctx) {
      if (CONFIG.confirm && ctx.hasUI && !(await ctx.ui.confirm(CONFIG.label, CONFIG.confirm))) return
      const ended = await run(CONFIG.command, args, ctx.cwd)
      ctx.ui.notify(told(ended), ended.code ? "error" : "info")
    },
  })
}
