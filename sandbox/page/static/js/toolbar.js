// What hovers over a message: Reply in thread, More actions.
import { html } from "/static/vendor/htm-preact.js";
import { ask } from "./blocks/confirm.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { openThread, phone, useMedia } from "./route.js";
import { tell } from "./store.js";
import { useWorld } from "./world.js";

/** Toolbar of a message. A finger has no hover: there only More actions shows, and holds the rest. */
export function Toolbar({ message, thread, opener, edit, expands }) {
  const world = useWorld();
  const coarse = useMedia(`${phone}, (pointer: coarse)`);
  if (message.ephemeral) return null;
  const replies = !thread && html`<button type="button" class="tool" aria-label="Reply in thread" title="Reply in thread"
    onClick=${() => openThread(message)}><${Icon} name="reply" /></button>`;
  return html`<div class=${coarse ? "toolbar coarse" : "toolbar"} role="group" aria-label="Message actions">
    ${!coarse && replies}
    <${Menu} label="More actions" class="tool" opener=${(open) => { opener.current = open; }} expands=${expands}
      items=${() => actions({ message, thread, edit, world, coarse })}><${Icon} name="more" /><//>
  </div>`;
}

function actions({ message, thread, edit, world, coarse }) {
  const { team, api } = world;
  const shortcuts = message.shortcuts ? team.shortcuts.filter((s) => s.message) : [];
  return [
    coarse && !thread && { label: "Reply in thread", icon: html`<${Icon} name="reply" />`, leaves: true, act: () => openThread(message) },
    shortcuts.length > 0 && { heading: team.app.name },
    ...shortcuts.map((s) => ({
      label: s.name,
      icon: html`<span class="avatar avatar-app small" aria-hidden="true"></span>`,
      act: () => api.act("message_shortcut", { channel: message.channel, ts: message.ts, callback: s.callback }).catch(tell),
    })),
    message.mine && { heading: "Your message" },
    message.mine && { label: "Edit message", leaves: true, act: edit },
    message.mine && { label: "Delete message", danger: true, act: () => remove(message, world) },
  ];
}

async function remove(message, world) {
  const sure = await ask({
    title: { type: "plain_text", text: "Delete message" },
    text: { type: "plain_text", text: "Are you sure you want to delete this message? This cannot be undone." },
    confirm: { type: "plain_text", text: "Delete" },
    deny: { type: "plain_text", text: "Cancel" },
    style: "danger",
  }, world);
  if (sure) await world.api.act("delete", { channel: message.channel, ts: message.ts }).catch(tell);
}
