// The bridge between OpenClaw and agent-connector: it tells a program of tool calls, prompts and sessions, and does
// what the program answers. Generated: `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
// Whatever goes wrong in here, the host goes on as if nothing had been said.

// agent-connector:config begin
const CONFIG = { "id": "", "host": "", "hooks": {} }
// agent-connector:config end

const WRAPPERS = ["tool_call", "tool_search", "tool_describe"] // the call that these make is told by its own name
const PROMPT = "before_agent_run"
const MARGIN = 2000 // milliseconds that the host waits longer than the program may take: a hook that is late blocks

// agent-connector:shared
const wired = (event) => event in CONFIG.hooks
const wants = (event, tool) => wired(event) && (!CONFIG.hooks[event].tools || new RegExp(CONFIG.hooks[event].tools).test(tool))

// `sessions`: id -> promise of a text that every prompt of the session carries; `prompts`: run -> { context, deny }, what
// was answered to its prompt; `sentOn`: runs that were not let stop, which the host itself does not tell.
// A Gateway loads this module more than once: what one of them knows, all have to know.
const { sessions, prompts, sentOn } = (globalThis[Symbol.for(`agent-connector:openclaw:${CONFIG.id}`)] ??= {
  sessions: new Map(),
  prompts: new Map(),
  sentOn: new Set(),
})

const tell = (event, ctx, facts) =>
  ask(event, { sessionID: ctx?.sessionId, parentID: ctx?.parentSessionId, directory: ctx?.workspaceDir, run: ctx?.runId, ...facts })

/** The session's context; a Gateway tells of its beginning, a run without one does not. */
function begin(ctx, reason) {
  const id = ctx?.sessionId ?? ""
  if (!sessions.has(id)) {
    const context = wired("session_start") ? tell("session_start", ctx, { event: { reason } }).then((answer) => answer.context, () => "") : ""
    remember(sessions, id, Promise.resolve(context))
  }
  return sessions.get(id)
}

/** What is answered to the prompt of a run, asked once. */
async function prompted(ctx, text) {
  const run = ctx?.runId ?? text
  if (!prompts.has(run)) remember(prompts, run, wired(PROMPT) ? tell(PROMPT, ctx, { event: { text } }) : Promise.resolve({}))
  return await prompts.get(run)
}

/** The host lays the new parameters over the old ones, so those that are gone have to be named. */
function laidOver(old, wanted) {
  const gone = Object.keys(old ?? {}).filter((key) => !(key in wanted)).map((key) => [key, undefined])
  return { ...Object.fromEntries(gone), ...wanted }
}

const handlers = {
  session_start: (event, ctx) => void begin({ ...ctx, sessionId: event.sessionId }, event.resumedFrom ? "resume" : "startup"),

  async session_end(event, ctx) {
    if (wired("session_end")) await tell("session_end", ctx, { event: { reason: event.reason } })
    sessions.delete(ctx?.sessionId ?? "")
  },

  async before_prompt_build(event, ctx) {
    const session = await begin(ctx, event.messages?.length ? "resume" : "startup")
    const { context } = await prompted(ctx, event.prompt)
    return {
      ...(isText(session) ? { appendSystemContext: session } : {}),
      ...(isText(context) ? { prependContext: context } : {}),
    }
  },

  async before_agent_run(event, ctx) {
    const { deny } = await prompted(ctx, event.prompt)
    if (isText(deny)) return { outcome: "block", reason: deny, message: deny }
  },

  async before_tool_call(event, ctx) {
    const { toolName, toolCallId, params } = event
    if (WRAPPERS.includes(toolName) || !wants("before_tool_call", toolName)) return
    const answer = await tell("before_tool_call", ctx, { event: { toolName, toolCallId, input: params } })
    if (isText(answer.deny)) return { block: true, blockReason: answer.deny }
    const approval = isText(answer.ask) ? { requireApproval: { title: `agent-connector: ${CONFIG.id}`, description: answer.ask } } : {}
    const changed = isObject(answer.args) ? { params: laidOver(params, answer.args) } : {}
    return { ...changed, ...approval }
  },

  async after_tool_call(event, ctx) {
    const { toolName, toolCallId, params, result, error } = event
    if (WRAPPERS.includes(toolName) || !wants("after_tool_call", toolName)) return
    const content = error ? [{ type: "text", text: String(error) }] : result?.content
    await tell("after_tool_call", ctx, { event: { toolName, toolCallId, input: params, content, isError: Boolean(error) } })
  },

  async before_agent_finalize(event, ctx) {
    if (!wired("before_agent_finalize")) return
    const run = event.runId ?? ctx?.runId
    const stopHookActive = event.stopHookActive === true || sentOn.has(run)
    const answer = await tell("before_agent_finalize", ctx, { event: {}, stopHookActive, last: event.lastAssistantMessage })
    if (!isText(answer.deny)) return
    if (run && !sentOn.has(run)) remember(sentOn, run)
    return { action: "revise", reason: answer.deny, retry: { instruction: answer.deny, maxAttempts: MOST_RETRIES } }
  },
}
const NEEDED = { before_prompt_build: ["session_start", PROMPT] } // what is registered for the sake of others

// What may only be watched, and what an author asks for by the host's own name.
for (const name of Object.keys(CONFIG.hooks))
  handlers[name] ??= async (event, ctx) => {
    const answer = await tell(name, ctx, { event })
    return Object.keys(answer).length ? answer : undefined
  }

const safe = (handler) => async (event, ctx) => {
  try {
    const answer = await handler(event ?? {}, ctx)
    if (answer && Object.keys(answer).length) return answer
  } catch {}
}

export default {
  id: `agent-connector-${CONFIG.id}`,
  name: `agent-connector: ${CONFIG.id}`,
  description: "Tells a connector's program of tool calls, prompts and sessions",
  register(api) {
    for (const [name, handler] of Object.entries(handlers)) {
      const asked = (NEEDED[name] ?? [name]).filter(wired)
      if (asked.length)
        api.on(name, safe(handler), { timeoutMs: asked.reduce((sum, event) => sum + CONFIG.hooks[event].timeout, MARGIN) })
    }
  },
}
