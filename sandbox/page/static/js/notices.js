// What must not be missed: trouble as a toast, news as words for a screen reader.
import { html, useState, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { words } from "./mrkdwn.js";
import { useStore, write } from "./store.js";
import { nameOf, useWorld } from "./world.js";

const stays = 8000; // ms

/** Notices: what Slack says about the last click, and what went wrong on this page. */
export function Notices({ snap }) {
  const trouble = useStore((state) => state.trouble);
  const connected = useStore((state) => state.connected);
  const [hidden, setHidden] = useState("");
  useEffect(() => setHidden(""), [snap.toast]);
  useEffect(() => {
    const timer = trouble && setTimeout(() => write({ trouble: "" }), stays);
    return () => clearTimeout(timer);
  }, [trouble]);
  const toast = snap.toast !== hidden ? snap.toast : "";
  return html`<div class="notices" role="status" aria-live="assertive">
    ${!connected && html`<p class="notice"><span>The workspace does not answer. Trying again…</span></p>`}
    ${trouble && html`<${Notice} key="trouble" says=${trouble} close=${() => write({ trouble: "" })} />`}
    ${toast && html`<${Notice} key="toast" says=${toast} close=${() => setHidden(toast)} />`}
  </div>`;
}

function Notice({ says, close }) {
  return html`<p class="notice"><span>${says}</span>
    <button type="button" class="icon-button" aria-label="Dismiss" title="Dismiss" onClick=${close}><${Icon} name="close" /></button></p>`;
}

/** Announcer reads out what others wrote in the place that is open. */
export function Announcer({ snap, place, thread }) {
  const world = useWorld();
  const [says, setSays] = useState("");
  const seen = useRef({ where: "", last: "" });
  const shown = thread ? snap.messages.concat(snap.replies) : snap.messages;
  const where = `${snap.me.id} ${snap.channel} ${snap.thread}`;
  const last = shown.reduce((newest, m) => (m.ts > newest ? m.ts : newest), "");
  useEffect(() => {
    const before = seen.current;
    seen.current = { where, last };
    if (before.where !== where || last <= before.last || snap.channel !== place.id) return;
    const news = shown.filter((m, i) => m.ts > before.last && !m.mine && shown.findIndex((other) => other.ts === m.ts) === i);
    if (news.length > 0) setSays(news.slice(-3).map((m) => spoken(m, world)).join(" "));
  }, [where, last]);
  useTitle(snap);
  return html`<div class="sr" aria-live="polite" aria-atomic="true">${says}</div>`;
}

function spoken(message, world) {
  const user = world.users.find((u) => u.id === message.user);
  const only = message.ephemeral ? " Only visible to you." : "";
  return `${user ? nameOf(user) : message.name}: ${words(message.text, world).slice(0, 300)}${only}`;
}

function useTitle(snap) {
  const channel = snap.channels.find((c) => c.id === snap.channel);
  const unread = snap.channels.reduce((sum, c) => sum + (c.mention ? c.unread : 0), 0);
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ""}${channel ? (channel.im ? "" : "#") + channel.name : "Darkroom"} · ${nameOf(snap.me)} · sandbox`;
    if (parent !== window) parent.postMessage({ unread, at: channel && !channel.im ? "#" + channel.name : "Darkroom", who: nameOf(snap.me) }, "*"); // the rail says it
  }, [channel?.name, unread, snap.me.id]);
}
