// The bridge between Amp and agent-connector: it tells a program of tool calls, prompts and sessions, and does what the
// program answers. Generated: `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
// Whatever goes wrong in here, Amp goes on as if nothing had been said.

// agent-connector:config begin
const CONFIG = { "id": "", "host": "", "hooks": {} }
// agent-connector:config end

// agent-connector:shared
const wired = (event) => event in CONFIG.hooks
const wants = (event, tool) => wired(event) && (!CONFIG.hooks[event].tools || new RegExp(CONFIG.hooks[event].tools).test(tool))
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? "")

/** Several copies may be loaded (user and project): for one connector the first one speaks, the others are quiet. */
const speakers = (globalThis[Symbol.for("agent-connector.amp")] ??= new Map())

export default function (amp) {
  const me = {}
  const threads = new Map() // id -> { context: a promise of what its start has said, given, times }
  const calls = new Map() // running call -> the context that comes with its result

  const idOf = (event) => event?.thread?.id ?? ""
  const tell = (name, event, facts) => ask(name, { sessionID: idOf(event), directory: process.cwd(), event, ...facts })

  /** What is known of the thread; one that was not announced is one that goes on. */
  const thread = (event) => {
    const known = threads.get(idOf(event))
    if (known) return known
    const begun = { context: Promise.resolve(""), given: false, times: 0 }
    remember(threads, idOf(event), begun)
    if (wired("session.start")) begun.context = tell("session.start", event).then((answer) => answer.context, () => "")
    return begun
  }

  const isGranted = async (ctx, question) => {
    try {
      return await ctx.ui.confirm({ title: `agent-connector: ${CONFIG.id}`, message: question, confirmButtonText: "Allow" })
    } catch {
      return false // nobody is there to be asked
    }
  }

  const handlers = {
    "session.start": (event) => void thread(event),

    async "agent.start"(event) {
      const now = thread(event)
      const texts = now.given ? [] : [await now.context]
      now.given = true
      if (wired("agent.start")) texts.push((await tell("agent.start", event)).context)
      const content = texts.filter(isText).join("\n\n")
      return content ? { message: { content, display: false } } : {}
    },

    async "tool.call"(event, ctx) {
      if (!wants("tool.call", event.tool)) return { action: "allow" }
      const answer = await tell("tool.call", event)
      if (isText(answer.deny)) return { action: "reject-and-continue", message: answer.deny }
      if (isText(answer.ask) && !(await isGranted(ctx, answer.ask))) return { action: "reject-and-continue", message: answer.ask }
      if (isText(answer.context)) remember(calls, event.toolUseID, answer.context)
      return isObject(answer.args) ? { action: "modify", input: answer.args } : { action: "allow" }
    },

    async "tool.result"(event) {
      const context = calls.get(event.toolUseID)
      calls.delete(event.toolUseID)
      const answer = wants("tool.result", event.tool) ? await tell("tool.result", event) : {}
      const added = [context, answer.context].filter(isText)
      const replaced = isText(answer.output)
      if (!replaced && !added.length) return
      const output = [replaced ? answer.output : asText(event.output), ...added].filter(isText).join("\n\n")
      if (event.status === "error" && !replaced) return { status: "error", error: [asText(event.error), ...added].join("\n\n"), output: event.output }
      return { status: "done", output }
    },

    async "agent.end"(event) {
      const now = thread(event)
      if (!wired("agent.end")) return
      const answer = await tell("agent.end", event, { stopHookActive: now.times > 0 })
      if (!isText(answer.deny) || now.times >= MOST_RETRIES) {
        now.times = 0
        return
      }
      now.times += 1
      return { action: "continue", userMessage: answer.deny }
    },
  }

  for (const [name, handler] of Object.entries(handlers))
    amp.on(name, async (event, ctx) => {
      const nothing = name === "tool.call" ? { action: "allow" } : name === "agent.start" ? {} : undefined
      try {
        if (!speakers.has(CONFIG.id)) speakers.set(CONFIG.id, me)
        return speakers.get(CONFIG.id) === me ? await handler(event, ctx) : nothing
      } catch {
        return nothing
      }
    })

  amp.onDispose?.(async () => {
    const last = wired("dispose") && speakers.get(CONFIG.id) === me ? [...threads.keys()].slice(-8) : []
    await Promise.allSettled(last.map((id) => tell("dispose", { thread: { id } })))
    if (speakers.get(CONFIG.id) === me) speakers.delete(CONFIG.id)
  })
}
