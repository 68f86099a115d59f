// Lets apps that you paired join sessions of this OpenCode: made by `agent-connector byoa attach opencode`, taken out
// with `--remove`. It carries requests of that program to the server inside of this process, over a private socket, so
// that no port is needed. While no `attach` runs it does nothing but look for the file below, and it keeps nothing.
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";

const PLACE = @PLACE@; // says where `attach` listens
const LOOK_EVERY = 2000;
const ONE = Symbol.for("agent-connector-byoa"); // a server loads its plugins once for each project

// A terminal, or a server that terminals attach to; a run without a person is nobody's to join.
const open = () => process.argv[1]?.endsWith("worker.js") || ["serve", "web"].includes(process.argv[2]);

export default async ({ client }) => {
  if (globalThis[ONE] || !open()) return {};
  globalThis[ONE] = true;
  const { fetch, baseUrl, headers } = client._client.getConfig();
  const { "x-opencode-directory": _, ...kept } = headers ?? {};
  const running = new Map(); // requests that are being answered
  let socket;
  let last = ""; // the session that was prompted last

  const look = () => {
    if (socket || !existsSync(PLACE)) return;
    let place;
    try {
      place = JSON.parse(readFileSync(PLACE, "utf8"));
    } catch {
      return; // it is just being written, or removed
    }
    const mine = (socket = connect(place.address));
    let held = "";
    mine.setEncoding("utf8");
    mine.unref();
    mine.on("error", () => {}); // `close` follows
    mine.on("connect", () => {
      mine.write(place.key + "\n");
      send({ session: last });
    });
    mine.on("data", (piece) => {
      const lines = (held + piece).split("\n");
      held = lines.pop();
      for (const line of lines) take(line);
    });
    mine.on("close", () => {
      socket = undefined;
      for (const request of running.values()) request.abort();
    });
  };

  const send = (message) => socket?.write(JSON.stringify(message) + "\n");

  const take = (line) => {
    try {
      const message = JSON.parse(line);
      if (message.cancel) running.get(message.cancel)?.abort();
      else ask(message);
    } catch {
      // nothing that comes from there may disturb OpenCode
    }
  };

  const ask = async ({ id, method, path, body }) => {
    const request = new AbortController();
    running.set(id, request);
    try {
      const decoder = new TextDecoder();
      const asked = new Request(baseUrl + path, { method, headers: kept, body, signal: request.signal });
      const answer = await fetch(asked);
      send({ id, status: answer.status });
      if (answer.body) for await (const piece of answer.body) send({ id, data: decoder.decode(piece, { stream: true }) });
      send({ id, end: true });
    } catch (error) {
      send({ id, error: String(error) });
    } finally {
      running.delete(id);
    }
  };

  const looking = setInterval(look, LOOK_EVERY);
  looking.unref?.();
  look();
  return {
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {};
      const prompt = event.type === "message.updated" && info?.role === "user";
      if (prompt || event.type === "tui.session.select") last = sessionID ?? info?.sessionID ?? last;
    },
    dispose: async () => {
      clearInterval(looking);
      socket?.destroy();
      globalThis[ONE] = undefined;
    },
  };
};
