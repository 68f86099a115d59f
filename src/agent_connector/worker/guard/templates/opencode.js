async function server(input) {
  return {
    async "tool.execute.before"(about, output) {
      const payload = { sessionID: about.sessionID, directory: input?.directory, servers: CONFIG.servers, input: about, output }
      const answer = await judged(payload)
      if (answer?.guard === "allowed") return
      const reason = answer?.reason ?? CONFIG.broken
      Object.assign(output, { cancel: true, cancelReason: reason })
      throw new Error(reason)
    },
  }
}

export default { id: "agent-connector-guard", server }
