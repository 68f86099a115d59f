// The bridge between this host and agent-connector: it tells a program of tool calls, prompts and sessions, and does
// what the program answers. Generated: `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
// Whatever goes wrong in here, the host goes on as if nothing had been said.

// agent-connector:config begin
const CONFIG = { "id": "", "host": "", "hooks": {} }
// agent-connector:config end

const INTERNAL = ["main", "title", "summary", "compaction", "checkpoint-writer", "dream", "distill"] // no subagents of a person's

class Denied extends Error {}

// agent-connector:shared
const isBusEvent = (name) => /^(session|permission|message)\./.test(name)

// ---- doing what it answers

/** An MCP tool's result is a list of contents, a built-in tool's a text with attachments. */
function replaceResult(result, text) {
  if (Array.isArray(result.content)) result.content = [{ type: "text", text }]
  else {
    result.output = text
    if (Array.isArray(result.attachments)) result.attachments = []
  }
}

function addToResult(result, text) {
  if (Array.isArray(result.content)) result.content = [...result.content, { type: "text", text }]
  else result.output = isText(result.output) ? `${result.output}\n\n${text}` : text
}

function addToPrompt(output, sessionID, text) {
  const last = output.parts[output.parts.length - 1]
  const id = last?.id ? `${last.id}x` : `prt_${Date.now().toString(36)}`
  output.parts.push({ id, sessionID, messageID: output.message?.id, type: "text", text, synthetic: true })
}

/** A native hook's answer stands for the parts of the host's output that it names, changed in place where they can be. */
function merge(output, answer) {
  for (const [key, value] of Object.entries(answer)) {
    const there = output[key]
    if (isObject(there) && isObject(value)) Object.assign(there, value)
    else if (Array.isArray(there) && Array.isArray(value)) there.splice(0, there.length, ...value)
    else output[key] = value
  }
}

// ---- the plugin

/** Several copies may be loaded (user and project): the one that was loaded last for a folder speaks, the others are quiet. */
const speakers = (globalThis[Symbol.for("agent-connector.bridges")] ??= new Map())

async function server(input) {
  const place = `${CONFIG.host} ${CONFIG.id} ${input?.directory ?? ""}`
  const me = {}
  speakers.set(place, me)

  const sessions = new Map() // id -> { parentID, context: promise of a text that every request of the session carries }
  const calls = new Map() // id of a running call -> { tool, args, context }
  const denied = new Set() // ids of calls that were not let through
  const failed = new Set() // ids of calls whose failure was told
  const retried = new Map() // session -> { text, times } of a stopped agent that was sent on
  const pending = new Set() // what is still being asked and delays nobody
  let servers = []

  const wired = (event) => event in CONFIG.hooks
  const wants = (event, tool) => {
    if (!wired(event)) return false
    const pattern = CONFIG.hooks[event].tools
    return !pattern || new RegExp(pattern).test(tool)
  }
  const tell = (event, sessionID, facts) => {
    const parentID = sessions.get(sessionID)?.parentID
    return ask(event, { sessionID, parentID, directory: input?.directory, worktree: input?.worktree, servers, ...facts })
  }
  const inBackground = (promise) => {
    const quiet = promise.catch(() => {}).finally(() => pending.delete(quiet))
    pending.add(quiet)
  }

  /** The session's context; a session that was not announced is one that goes on. */
  const begin = (sessionID, source, info) => {
    const known = sessions.get(sessionID)
    if (known) return known.context
    const session = { parentID: info?.parentID, context: Promise.resolve("") }
    remember(sessions, sessionID, session)
    if (wired("session.created"))
      session.context = tell("session.created", sessionID, { source, info }).then((answer) => answer.context, () => "")
    return session.context
  }

  const events = {
    "session.created": ({ info, sessionID }) => void begin(sessionID ?? info.id, "startup", info),
    "session.deleted": ({ info, sessionID }) => {
      const id = sessionID ?? info.id
      if (wired("dispose") && !sessions.get(id)?.parentID) inBackground(tell("dispose", id, { reason: "deleted" }))
      sessions.delete(id)
    },
    "session.idle": ({ sessionID }) => {
      const toldAlready = wired("actor.preStop") && sessions.get(sessionID)?.parentID
      if (wired("session.idle") && !toldAlready) inBackground(idle(sessionID))
    },
    "session.compacted": (properties) => {
      if (wired("session.compacted")) inBackground(tell("session.compacted", properties.sessionID, { event: { properties } }))
    },
    "permission.asked": (properties) => {
      const call = calls.get(properties.tool?.callID)
      if (wants("permission.asked", call?.tool ?? properties.permission)) inBackground(permit(properties, call))
    },
    "message.part.updated": (properties) => {
      const { part } = properties
      if (part?.type !== "tool" || part.state?.status !== "error" || failed.has(part.callID)) return
      remember(failed, part.callID)
      calls.delete(part.callID)
      if (!denied.has(part.callID) && wants("message.part.updated", part.tool))
        inBackground(tell("message.part.updated", part.sessionID ?? properties.sessionID, { event: { properties } }))
    },
  }

  const idle = async (sessionID) => {
    const times = retried.get(sessionID)?.times ?? 0
    const answer = await tell("session.idle", sessionID, { stopHookActive: times > 0 })
    retried.delete(sessionID)
    if (!isText(answer.deny) || times >= MOST_RETRIES || sessions.get(sessionID)?.parentID) return
    remember(retried, sessionID, { text: answer.deny, times: times + 1 })
    await input.client.session.promptAsync({ path: { id: sessionID }, body: { parts: [{ type: "text", text: answer.deny }] } })
  }

  const permit = async (properties, call) => {
    const { id: permissionID, sessionID } = properties
    const answer = await tell("permission.asked", sessionID, { ...call, context: undefined, event: { properties } })
    if (!isText(answer.permission)) return
    await input.client.postSessionIdPermissionsPermissionId({
      path: { id: sessionID, permissionID },
      body: { response: answer.permission },
    })
  }

  const hooks = {
    async config(config) {
      servers = Object.keys(config?.mcp ?? {})
    },

    async event({ event }) {
      if (Object.hasOwn(events, event.type)) events[event.type](event.properties)
      else if (wired(event.type)) inBackground(tell(event.type, event.properties?.sessionID, { event }))
    },

    async "chat.message"(about, output) {
      const { sessionID } = about
      await begin(sessionID, "resume")
      const retry = retried.get(sessionID)
      if (retry && output.parts.some((part) => part.text === retry.text)) return
      retried.delete(sessionID)
      if (!wired("chat.message")) return
      const answer = await tell("chat.message", sessionID, { input: about, output })
      if (isText(answer.deny)) throw new Denied(answer.deny)
      if (isText(answer.context)) addToPrompt(output, sessionID, answer.context)
    },

    async "experimental.chat.system.transform"({ sessionID }, output) {
      if (!sessionID || output.system[0]?.startsWith("You are a title generator")) return
      const context = await begin(sessionID, "resume")
      if (isText(context)) output.system.push(context)
    },

    async "experimental.session.compacting"(about, output) {
      if (!wired("experimental.session.compacting")) return
      const answer = await tell("experimental.session.compacting", about.sessionID, { input: about })
      if (isText(answer.context)) output.context.push(answer.context)
    },

    async "tool.execute.before"(about, output) {
      const call = { tool: about.tool, args: output.args }
      remember(calls, about.callID, call)
      if (!wants("tool.execute.before", about.tool)) return
      const answer = await tell("tool.execute.before", about.sessionID, { input: about, output })
      if (isText(answer.deny)) {
        remember(denied, about.callID)
        Object.assign(output, { cancel: true, cancelReason: answer.deny }) // what MiMoCode reads
        throw new Denied(answer.deny)
      }
      if (isObject(answer.args)) replaceArguments(output.args, answer.args)
      call.context = answer.context
    },

    async "tool.execute.after"(about, output) {
      const context = calls.get(about.callID)?.context
      calls.delete(about.callID)
      const asked = wants("tool.execute.after", about.tool)
      const answer = asked ? await tell("tool.execute.after", about.sessionID, { input: about, output }) : {}
      if (isText(answer.output)) replaceResult(output, answer.output)
      for (const text of [context, answer.context]) if (isText(text)) addToResult(output, text)
    },

    async dispose() {
      const ends = [...sessions].filter(([, session]) => wired("dispose") && !session.parentID)
      const last = ends.slice(-8).map(([id]) => tell("dispose", id, { reason: "exit" }))
      await Promise.allSettled([...last, ...pending])
      speakers.delete(place)
    },
  }

  /** MiMoCode asks before a subagent is over whether it is to go on. */
  const beforeStop = async (about, output) => {
    const times = retried.get(about.actorID)?.times ?? 0
    const facts = { parentID: about.parentSessionID, input: about, stopHookActive: times > 0 }
    const answer = await tell("actor.preStop", about.sessionID, facts)
    retried.delete(about.actorID)
    if (!isText(answer.deny) || times >= MOST_RETRIES) return
    remember(retried, about.actorID, { text: answer.deny, times: times + 1 })
    Object.assign(output, { continue: true, reason: answer.deny })
  }

  for (const name of Object.keys(CONFIG.hooks))
    if (!(name in hooks) && !isBusEvent(name) && name !== "actor.preStop")
      hooks[name] = async (about, output) => merge(output, await tell(name, about?.sessionID, { input: about, output }))

  const safe = (hook) => async (...given) => {
    if (speakers.get(place) !== me) return
    try {
      await hook(...given)
    } catch (problem) {
      if (problem instanceof Denied) throw problem
    }
  }
  const safely = Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, safe(hook)]))
  if (wired("actor.preStop")) safely["actor.preStop"] = { matcher: { agentType: { excludeOnly: INTERNAL } }, run: safe(beforeStop) }
  return safely
}

export default { id: `agent-connector-${CONFIG.id}`, server }
