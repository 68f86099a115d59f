export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const payload = { directory: ctx?.cwd, event: { toolName: event.toolName, toolCallId: event.toolCallId, input: event.input } }
    const answer = await judged(payload)
    if (answer?.guard === "allowed") return undefined
    return { block: true, reason: answer?.reason ?? CONFIG.broken }
  })
}
