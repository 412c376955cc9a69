// One message and what can be done with it.
import { html, useState, useRef } from "/static/vendor/htm-preact.js";
import { Avatar } from "./avatar.js";
import { clock, full, when } from "./dates.js";
import { emoji, spoken } from "./emoji.js";
import { Files } from "./files.js";
import { Icon } from "./icons.js";
import { Blocks } from "./blocks/blocks.js";
import { Mrkdwn, words } from "./mrkdwn.js";
import { openThread } from "./route.js";
import { tell } from "./store.js";
import { Toolbar } from "./toolbar.js";
import { nameOf, useWorld } from "./world.js";

/** count is "3 replies". */
export const count = (n) => (n === 1 ? "1 reply" : n > 0 ? `${n} replies` : "No replies yet");

/** Message is an item of a list, and one Tab stop: walk.js has its keys. */
export function Message({ message, grouped, thread, origin }) {
  const [busy, setBusy] = useState(false); // a menu of it is open
  const menu = useRef(() => {});
  if (message.subtype === "tombstone") return html`<${Tombstone} message=${message} thread=${thread} />`;
  const kinds = ["message", grouped && "grouped", message.ephemeral && "ephemeral", busy && "busy"];
  return html`<li class=${kinds.filter(Boolean).join(" ")} tabindex="0" data-ts=${message.ts} ...${longPress(menu)}>
    ${message.ephemeral && html`<p class="above"><${Icon} name="eye" /> Only visible to you</p>`}
    ${message.broadcast && !thread && html`<${Origin} message=${message} origin=${origin} />`}
    <div class="gutter">${grouped
      ? html`<time class="gutter-time" dateTime=${when(message.ts).toISOString()} title=${full(when(message.ts))}>${clock(when(message.ts)).replace(/ [AP]M/, "")}</time>`
      : html`<${Avatar} id=${message.user} name=${message.name} app=${message.app} />`}</div>
    <div class="message-body">
      ${grouped ? html`<span class="sr">${message.name}</span>` : html`<${Byline} message=${message} />`}
      <${Content} message=${message} />
      ${thread && message.broadcast && html`<p class="also">Also sent to the channel</p>`}
      <${Reactions} message=${message} />
      ${!thread && message.replies && html`<${Summary} message=${message} />`}
      ${message.ephemeral && html`<${Dismiss} message=${message} />`}
    </div>
    <${Toolbar} message=${message} thread=${thread} opener=${menu} expands=${setBusy} />
  </li>`;
}

function Tombstone({ message, thread }) {
  return html`<li class="message tombstone" tabindex="0"><div class="gutter"><${Icon} name="close" /></div>
    <div class="message-body"><p>This message was deleted.</p>${!thread && message.replies && html`<${Summary} message=${message} />`}</div></li>`;
}

function Byline({ message }) {
  const at = when(message.ts);
  return html`<p class="byline"><b class="name">${message.name || "Somebody"}</b>
    ${message.app && html`<span class="app-badge">APP</span>`}
    <time dateTime=${at.toISOString()} title=${full(at)}>${clock(at)}</time></p>`;
}

function Content({ message }) {
  const world = useWorld();
  const edited = message.edited && !message.app && html` <span class="edited">(edited)</span>`;
  return html`<div class="content">
    ${message.subtype === "channel_join" ? html`<${Joined} message=${message} />` : message.blocks?.length
      ? html`<${Blocks} blocks=${message.blocks} values=${message.held || {}} target=${{ channel: message.channel, ts: message.ts }} ...${world} />`
      : message.text && html`<div class="text" dir="auto"><${Mrkdwn} text=${message.text} />${edited}</div>`}
    ${message.files?.length > 0 && html`<${Files} files=${message.files} />`}
  </div>`;
}

// Joined is the line that somebody's coming leaves, in the words of Slack's own client.
function Joined({ message }) {
  const { users, channels } = useWorld();
  const by = users.find((u) => u.id === message.inviter);
  return html`<div class="text edited">was added to #${channels.find((c) => c.id === message.channel)?.name}${by && ` by ${nameOf(by)}`}.</div>`;
}

function Origin({ message, origin }) {
  const world = useWorld();
  const about = origin ? words(origin.text.split("\n")[0], world).slice(0, 60) : "an earlier message";
  return html`<p class="above"><${Icon} name="reply" /> replied to a thread: <button type="button" class="link" onClick=${() => openThread(message)}>${about || "a message"}</button></p>`;
}

function Reactions({ message }) {
  const { me, users } = useWorld();
  if (!message.reactions?.length) return null;
  const who = (ids) => ids.map((id) => (id === me.id ? "you" : nameOf(users.find((u) => u.id === id)))).join(", ");
  return html`<p class="reactions">${message.reactions.map((r) => html`<span key=${r.name} class="reaction" role="img"
    title=${`${who(r.users)} reacted with :${r.name}:`} aria-label=${`${r.users.length} ${spoken(r.name)}, by ${who(r.users)}`}>
    ${emoji[r.name] || `:${r.name}:`} ${r.users.length}</span>`)}</p>`;
}

function Summary({ message }) {
  const { count: n, users, last } = message.replies;
  return html`<button type="button" class="summary" onClick=${() => openThread(message)}>
    <span class="summary-faces" aria-hidden="true">${users.slice(0, 4).map((id) => html`<${Avatar} key=${id} id=${id} size="small" />`)}</span>
    <b>${count(n)}</b>
    ${last && html`<span class="summary-last">Last reply at ${clock(when(last))}</span>`}
  </button>`;
}

function Dismiss({ message }) {
  const { api } = useWorld();
  return html`<p class="dismiss">Only you can see this. <button type="button" class="link" onClick=${() => api.act("dismiss", { ts: message.ts }).catch(tell)}>Dismiss</button></p>`;
}

// longPress opens the message's menu where there is no pointer to hover with.
function longPress(menu) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const start = (e) => {
    if (e.pointerType !== "touch" || e.target.closest("button, a, input, textarea, select")) return;
    end();
    timer = setTimeout(() => menu.current(), 500);
  };
  return { onPointerDown: start, onPointerUp: end, onPointerMove: end, onPointerCancel: end, onPointerLeave: end };
}
