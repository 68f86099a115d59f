// The bridge between this host and agent-connector: it tells a program of tool calls, prompts and sessions, and does
// what the program answers. Generated: `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
// Whatever goes wrong in here, the host goes on as if nothing had been said.

// agent-connector:config begin
const CONFIG = { "id": "", "host": "", "hooks": {} }
// agent-connector:config end

const OMP = CONFIG.host === "omp" // it has grown out of Pi, and takes some answers in other words
const PROMPT = OMP ? "before_agent_start" : "input" // Oh My Pi tells no `input` in a run without a terminal
const STOP = OMP ? "session_stop" : "agent_before_settle"
const ROUTE = "xd://" // Oh My Pi's model calls such a tool by writing to this; the call itself is told by its own name

// agent-connector:shared
const wired = (event) => event in CONFIG.hooks
const wants = (event, tool) => wired(event) && (!CONFIG.hooks[event].tools || new RegExp(CONFIG.hooks[event].tools).test(tool))
const isRoute = (event) => OMP && event.toolName === "write" && String(event.input?.path ?? "").startsWith(ROUTE)
const textOf = (message) =>
  (Array.isArray(message?.content) ? message.content : []).filter((part) => part.type === "text").map((part) => part.text).join("")

/** Several copies may be loaded (user and project): in a session the first one that is called speaks, the others are quiet. */
const speakers = (globalThis[Symbol.for("agent-connector.extensions")] ??= new Map())

export default function (pi) {
  const me = { over: false }
  const sessions = new Map() // id -> { context, given, texts, asked, last, times }
  const calls = new Map() // running call -> the context that comes with its result
  let compaction // a text for the summary that is being made

  const idOf = (ctx) => ctx?.sessionManager?.getSessionId?.() ?? ""
  const tell = (event, ctx, facts) =>
    ask(event, { sessionID: idOf(ctx), transcript: ctx?.sessionManager?.getSessionFile?.(), directory: ctx?.cwd, mode: ctx?.mode, ...facts })
  const say = (ctx, text) => {
    if (ctx?.hasUI) ctx.ui.notify(text, "warning")
  }

  /** What is known of the session; one that was not announced is one that goes on. */
  const session = (ctx, reason = "resume") => {
    const known = sessions.get(idOf(ctx))
    if (known) return known
    const begun = { context: Promise.resolve(""), given: false, texts: [], last: "", times: 0 }
    remember(sessions, idOf(ctx), begun)
    if (wired("session_start")) begun.context = tell("session_start", ctx, { event: { reason } }).then((answer) => answer.context, () => "")
    return begun
  }

  const isGranted = async (ctx, question) => Boolean(ctx?.hasUI && (await ctx.ui.confirm(`agent-connector: ${CONFIG.id}`, question)))

  /** Ask about a prompt: true when it may not go on. */
  const isRefused = async (ctx, facts) => {
    const now = session(ctx)
    now.times = 0
    const answer = await tell(PROMPT, ctx, { event: facts })
    if (isText(answer.context)) now.texts.push(answer.context)
    if (isText(answer.deny)) say(ctx, answer.deny)
    return isText(answer.deny)
  }

  const handlers = {
    session_start: (event, ctx) => void session(ctx, event.reason ?? "startup"),

    async session_shutdown(event, ctx) {
      if (wired("session_shutdown")) await tell("session_shutdown", ctx, { event: { reason: event.reason ?? "exit" } })
      sessions.delete(idOf(ctx))
      me.over = true
    },

    async input(event, ctx) {
      if (!wired(PROMPT) || event.source === "extension") return
      const now = session(ctx)
      if (await isRefused(ctx, { text: event.text, source: event.source })) {
        now.texts = []
        return OMP ? { handled: true } : { action: "handled" }
      }
      now.asked = event.text
      if (!event.streamingBehavior || OMP || !now.texts.length) return
      const text = [event.text, ...now.texts.splice(0)].join("\n\n") // it joins a turn that runs: no other event will come
      return { action: "transform", text }
    },

    async before_agent_start(event, ctx) {
      const now = session(ctx)
      const isOurs = now.times > 0 && event.prompt === now.sentOn // what an agent is sent on with is no prompt of the person's
      if (OMP && wired(PROMPT) && now.asked !== event.prompt && !isOurs) await isRefused(ctx, { text: event.prompt })
      now.asked = undefined
      const context = await now.context
      const texts = [...(isText(context) && !now.given ? [context] : []), ...now.texts.splice(0)]
      now.given = true
      if (!texts.length) return
      return { message: { customType: "agent-connector", content: texts.join("\n\n"), display: false } }
    },

    async tool_call(event, ctx) {
      if (isRoute(event) || !wants("tool_call", event.toolName)) return
      const { toolName, toolCallId, input } = event
      const answer = await tell("tool_call", ctx, { event: { toolName, toolCallId, input } })
      if (isText(answer.deny)) return { block: true, reason: answer.deny }
      if (isText(answer.ask) && !(await isGranted(ctx, answer.ask))) return { block: true, reason: answer.ask }
      if (isObject(answer.args)) replaceArguments(event.input, answer.args)
      if (isText(answer.context)) remember(calls, `${toolCallId} ${toolName}`, answer.context)
    },

    async tool_result(event, ctx) {
      if (isRoute(event)) return
      const { toolName, toolCallId, input, content, structuredContent, isError } = event
      const context = calls.get(`${toolCallId} ${toolName}`)
      calls.delete(`${toolCallId} ${toolName}`)
      const asked = wants("tool_result", toolName)
      const answer = asked ? await tell("tool_result", ctx, { event: { toolName, toolCallId, input, content, isError } }) : {}
      const replaced = [answer.output, answer.deny].find(isText)
      const added = [context, answer.context].filter(isText)
      if (!replaced && !added.length) return
      const kept = replaced ? [replaced] : []
      const texts = [...kept, ...added].map((text) => ({ type: "text", text }))
      if (replaced) return { content: texts }
      return { content: [...(content ?? []), ...texts], ...(structuredContent ? { structuredContent } : {}) }
    },

    async before_subagent_spawn(event, ctx) {
      if (!wired("before_subagent_spawn")) return
      const answer = await tell("before_subagent_spawn", ctx, { event: { agent: event.agent, kind: event.invocationKind } })
      if (isText(answer.deny)) return { block: true, reason: answer.deny }
    },

    async session_before_compact(event, ctx) {
      if (!wired("session_before_compact")) return
      const { reason, customInstructions } = event
      const answer = await tell("session_before_compact", ctx, { event: { reason, customInstructions } })
      compaction = isText(answer.context) ? answer.context : undefined
      if (!isText(answer.deny)) return
      say(ctx, answer.deny)
      return { cancel: true }
    },

    "session.compacting": () => (compaction ? { context: [compaction] } : undefined),

    message_end(event, ctx) {
      if (event.message?.role === "assistant" && wired(STOP)) session(ctx).last = textOf(event.message)
    },

    async [STOP](event, ctx) {
      if (!wired(STOP)) return
      const now = session(ctx)
      const answer = await tell(STOP, ctx, { event: {}, stopHookActive: event.stop_hook_active ?? now.times > 0, last: now.last })
      if (!isText(answer.deny) || now.times >= MOST_RETRIES) {
        now.times = 0
        return
      }
      now.times += 1
      now.sentOn = answer.deny
      if (OMP) return { decision: "block", reason: answer.deny }
      const entry = { type: "custom_message", customType: "agent-connector", content: answer.deny, display: true }
      return { entries: [...(event.entries ?? []), entry], continue: true }
    },
  }

  // What may only be watched, and what an author asks for by the host's own name.
  for (const name of Object.keys(CONFIG.hooks))
    handlers[name] ??= async (event, ctx) => {
      if (isText(event.toolName) && !wants(name, event.toolName)) return
      const answer = await tell(name, ctx, { event })
      return Object.keys(answer).length ? answer : undefined
    }

  const speaks = (name, place) => {
    const speaker = speakers.get(place)
    if (!speaker || (speaker.over && name !== "session_shutdown")) {
      me.over = false
      remember(speakers, place, me)
    }
    return speakers.get(place) === me
  }
  const safe = (name, handler) => async (event, ctx) => {
    try {
      if (speaks(name, `${CONFIG.id} ${idOf(ctx)}`)) return await handler(event, ctx)
    } catch {}
  }
  for (const [name, handler] of Object.entries(handlers))
    try {
      pi.on(name, safe(name, handler))
    } catch {} // an event that this host, or this version of it, does not know
}
