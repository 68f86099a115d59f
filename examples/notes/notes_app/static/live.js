// The live part of the panel: what the server tells is put into the page as text, never as HTML.
"use strict";

const panel = document.getElementById("agent");
const talk = document.getElementById("talk");
const chosen = panel.dataset.chosen;

function atEnd() {
  return talk.scrollHeight - talk.scrollTop - talk.clientHeight < 60;
}

function toEnd() {
  talk.scrollTop = talk.scrollHeight;
}

function copyOf(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

// Sessions and notes.

function look({ sessions, stamp }) {
  const list = document.getElementById("sessions");
  const found = new Map([...list.children].map((item) => [item.dataset.session, item]));
  for (const session of sessions) {
    const item = found.get(session.id) || copyOf("session");
    found.delete(session.id);
    item.dataset.session = session.id;
    item.querySelector("a").href = session.href;
    item.querySelector(".name").textContent = session.name;
    item.querySelector(".place").textContent = session.place;
    const state = item.querySelector(".state");
    state.textContent = session.state;
    state.title = session.means;
    state.className = `state ${session.state}`;
    if (!item.parentElement) list.append(item);
  }
  for (const item of found.values()) item.remove();
  const gone = chosen && !sessions.some((session) => session.id === chosen);
  if (chosen) {
    document.getElementById("gone").hidden = !gone;
    for (const field of document.querySelectorAll("#say textarea, #say button")) field.disabled = gone;
  }
  document.getElementById("changed").hidden = stamp === document.getElementById("main").dataset.stamp;
}

// Turns.

function add(turn) {
  if (document.querySelector(`[data-turn="${CSS.escape(turn.id)}"]`)) return;
  const article = copyOf("turn");
  article.dataset.turn = turn.id;
  article.querySelector("[name=turn]").value = turn.id;
  article.querySelector(".sender").textContent = turn.sender;
  article.querySelector(".question").textContent = turn.text;
  document.getElementById("nothing")?.remove();
  talk.append(article);
  toEnd();
}

function step(answer, kind, text) {
  const last = answer.lastElementChild;
  if (kind === "said" && last?.className === "said") {
    last.append(text);
    return;
  }
  const paragraph = document.createElement("p");
  paragraph.className = kind;
  paragraph.textContent = text;
  answer.append(paragraph);
}

function part({ turn, number, kind, text }) {
  const article = document.querySelector(`[data-turn="${CSS.escape(turn)}"]`);
  if (!article || number <= Number(article.dataset.number)) return;
  article.dataset.number = number;
  const follow = atEnd();
  const end = article.querySelector(".end");
  if (kind === "started") end.textContent = "At work";
  if (kind === "text") step(article.querySelector(".answer"), "said", text);
  if (kind === "tool") step(article.querySelector(".answer"), "tool", text);
  if (kind === "end") {
    end.textContent = text;
    article.removeAttribute("aria-busy");
    const stop = article.querySelector(".stop");
    if (stop === document.activeElement) document.getElementById("text").focus();
    stop.remove();
  }
  if (follow) toEnd();
}

// The stream. A browser opens it again by itself and says how far it has come.

const stream = new EventSource(panel.dataset.stream);
const hear = (name, take) => stream.addEventListener(name, (event) => take(JSON.parse(event.data)));
hear("look", look);
hear("turn", add);
hear("part", part);
hear("over", () => {
  stream.close();
  location.reload(); // signed out elsewhere
});
window.addEventListener("pagehide", () => stream.close());

if (talk) {
  toEnd();
  const text = document.getElementById("text");
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (text.value.trim()) text.form.requestSubmit();
  });
}
