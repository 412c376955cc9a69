// What hovers over a message: Reply in thread, More actions.
import { html } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { openThread, phone, useMedia } from "./route.js";
import { tell } from "./store.js";
import { useWorld } from "./world.js";

/** Toolbar of a message. A finger has no hover: there only More actions shows, and holds the rest. */
export function Toolbar({ message, thread, opener, expands }) {
  const world = useWorld();
  const coarse = useMedia(`${phone}, (pointer: coarse)`);
  if (message.ephemeral) return null;
  const replies = !thread && html`<button type="button" class="tool" aria-label="Reply in thread" title="Reply in thread"
    onClick=${() => openThread(message)}><${Icon} name="reply" /></button>`;
  return html`<div class=${coarse ? "toolbar coarse" : "toolbar"} role="group" aria-label="Message actions">
    ${!coarse && replies}
    <${Menu} label="More actions" class="tool" opener=${(open) => { opener.current = open; }} expands=${expands}
      items=${() => actions({ message, thread, world, coarse })}><${Icon} name="more" /><//>
  </div>`;
}

function actions({ message, thread, world, coarse }) {
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
  ];
}
