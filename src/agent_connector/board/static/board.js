"use strict";
// The live parts of the board. Without this file every page shows what is there, and has a link to look again.

const log = document.querySelector("[data-log]");
const live = document.querySelector("[data-live]");
const MOST = 5000; // lines that stay on the page

/** One line of a log, of text alone: nothing that an agent wrote becomes markup. */
function row(line) {
  const item = document.createElement("li");
  item.className = `e-${line.kind}`;
  item.id = `e${line.seq}`;
  const time = document.createElement("time");
  time.dateTime = line.ts;
  time.textContent = line.time;
  const type = document.createElement("span");
  type.className = "type";
  type.textContent = line.type;
  const told = document.createElement("span");
  told.className = "told";
  told.dir = "auto";
  if (line.head) {
    const head = document.createElement("b");
    head.textContent = line.head;
    told.append(head, line.text ? " " : "");
  }
  told.append(line.text);
  item.append(time, type, told);
  return item;
}

function followed() {
  let last = Number(log.dataset.last);
  let source = null;
  let over = false;
  const follow = document.getElementById("follow");
  const told = document.getElementById("line");
  const count = document.getElementById("events");
  let held = Number(count.textContent.replaceAll(",", ""));
  follow.parentElement.hidden = false;
  told.hidden = false;

  function say(text) {
    if (told.textContent !== text) told.textContent = text;
  }

  function open() {
    if (source || over) return;
    source = new EventSource(`${log.dataset.log}?after=${last}`);
    source.addEventListener("open", () => say("live"));
    source.addEventListener("error", () => {
      // after an answer that is no stream (logged out, gone) a browser does not try again by itself
      const closed = source.readyState === EventSource.CLOSED;
      say(closed ? "not live: reload the page" : "connecting again");
    });
    source.addEventListener("line", (event) => {
      const line = JSON.parse(event.data);
      if (line.seq <= last) return;
      last = line.seq;
      const seen = log.getBoundingClientRect().bottom <= innerHeight; // who looks elsewhere on the page stays there
      log.append(row(line));
      count.textContent = (held += 1).toLocaleString("en");
      if (log.children.length > MOST) log.firstElementChild.remove();
      document.getElementById("nothing").hidden = true;
      if (!follow.checked) return;
      log.scrollTop = log.scrollHeight;
      if (seen) log.scrollIntoView({ block: "nearest" });
    });
    source.addEventListener("state", (event) => {
      const state = JSON.parse(event.data);
      const shown = document.getElementById("state");
      if (shown.textContent !== state.status) shown.textContent = state.status;
      shown.className = `status ${state.mark}`;
      document.getElementById("cost").textContent = state.cost;
    });
    source.addEventListener("end", () => {
      over = true;
      close();
      say("complete");
    });
  }

  function close() {
    if (source) source.close();
    source = null;
  }

  // A browser has few connections to one server: a page that nobody sees gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  log.scrollTop = log.scrollHeight;
  open();
}

function refreshed() {
  let source = null;
  let waiting = 0;

  /** The same page again; only what is live in it takes the place of what is shown. */
  async function look() {
    waiting = 0;
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["live", "asking"]) {
      const found = page.getElementById(id);
      const shown = document.getElementById(id);
      const active = document.activeElement;
      if (!found || !shown || found.isEqualNode(shown)) continue;
      const place = shown.contains(active) && active.getAttribute("href");
      shown.hidden = found.hidden;
      shown.replaceChildren(...found.childNodes);
      if (place) shown.querySelector(`[href="${CSS.escape(place)}"]`)?.focus();
    }
  }

  function open() {
    if (source) return;
    source = new EventSource("/changes");
    source.addEventListener("open", () => (waiting ||= setTimeout(look, 200)));
    source.addEventListener("changed", () => (waiting ||= setTimeout(look, 500)));
  }

  function close() {
    if (source) source.close();
    source = null;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

if (log) followed();
else if (live) refreshed();
