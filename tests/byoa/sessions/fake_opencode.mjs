// OpenCode's process around our plugin: `fetch` answers from a table, as the server inside of it does. What is said on
// the standard input changes the table or is an event; requests are printed.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const routes = { "GET /global/health": { version: "1.18.33" } };
const streams = new Set();
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const bytes = (value) => new TextEncoder().encode(value);

async function fetch(request) {
  const { pathname } = new URL(request.url);
  const body = request.body ? await request.json() : null;
  say({ asked: `${request.method} ${pathname}`, body, headers: Object.fromEntries(request.headers) });
  if (pathname === "/global/event") {
    let mine;
    const stream = new ReadableStream({
      start(controller) {
        mine = controller;
        streams.add(mine);
        mine.enqueue(bytes('data: {"payload":{"type":"server.connected","properties":{}}}\n\n'));
      },
      cancel: () => streams.delete(mine),
    });
    request.signal.addEventListener("abort", () => {
      streams.delete(mine);
      mine.error(new Error("aborted"));
    });
    return new Response(stream);
  }
  const answer = routes[`${request.method} ${pathname}`];
  return answer === undefined ? new Response("{}", { status: 404 }) : Response.json(answer);
}

process.argv.splice(1, 1); // the plugin sees the words of OpenCode itself
const { default: plugin } = await import(pathToFileURL(process.env.PLUGIN));
const config = { fetch, baseUrl: "http://localhost:4096", headers: { "x-opencode-directory": "elsewhere", "x-kept": "1" } };
let hooks = await plugin({ client: { _client: { getConfig: () => config } } });
const again = await plugin({ client: { _client: { getConfig: () => config } } });
say({ ready: true, hooks: Object.keys(hooks), again: Object.keys(again) });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  Object.assign(routes, asked.routes ?? {});
  if (asked.event) {
    await hooks.event?.({ event: asked.event });
    for (const stream of streams) stream.enqueue(bytes(`data: ${JSON.stringify({ directory: "/d", payload: asked.event })}\n\n`));
  }
  if (asked.load) hooks = await plugin({ client: { _client: { getConfig: () => config } } });
  if (asked.dispose) await hooks.dispose?.();
  if (asked.streams) say({ streams: streams.size });
}
process.exit(0);
