// The left column: where one can be.
import { html } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { PersonSwitch } from "./people.js";
import { address, go, here, phone, useMedia, wide } from "./route.js";
import { useStore, write } from "./store.js";
import { putAway } from "./tour.js";
import { useWorld } from "./world.js";

/** Sidebar: workspace, channels, direct messages, and what lies behind the scenes. */
export function Sidebar({ snap, place, pane }) {
  const { team } = useWorld();
  return html`<div class="sidebar" role=${useMedia(phone) ? "main" : undefined}><nav class="side-nav" aria-label="Workspace" data-region tabindex="-1">
    <header class="side-head"><div><p class="side-title">${team.team}</p><p>Pretend Slack on this machine</p></div>
      <button type="button" class="side-icon" aria-label="Keys" title="Keys (Ctrl + /): F6 goes to the next part of the page" aria-keyshortcuts="Control+/"
        onClick=${() => write({ help: true })}><${Icon} name="keys" /></button></header>
    <div class="side-scroll">
      <${Channels} snap=${snap} place=${place} />
      <${Direct} snap=${snap} place=${place} />
      <${Backstage} pane=${pane} />
    </div>
    <footer class="side-foot"><${PersonSwitch} /></footer>
  </nav></div>`;
}

function Channels({ snap, place }) {
  const channels = snap.channels.filter((c) => !c.im && !c.archived);
  return html`<section aria-labelledby="side-channels">
    <h2 id="side-channels">Channels</h2>
    <ul>
      ${channels.map((c) => html`<li key=${c.id}><${Row} to=${{ channel: c.id, app: "", thread: "" }} channel=${c} current=${place.id === c.id} /></li>`)}
    </ul>
  </section>`;
}

function Direct({ snap, place }) {
  const { team } = useWorld();
  if (!team.app.user) return null; // nobody has added it
  const dm = snap.channels.find((c) => c.im);
  const channel = { name: team.app.name, im: true, unread: dm?.unread || 0, mention: Boolean(dm?.unread) };
  const tab = dm?.unread ? "messages" : "home";
  return html`<section aria-labelledby="side-direct">
    <h2 id="side-direct">Direct messages</h2>
    <ul><li><${Row} to=${{ channel: "", app: tab, thread: "" }} channel=${channel} current=${Boolean(place.app)} /></li></ul>
  </section>`;
}

function Row({ to, channel, current }) {
  const news = channel.unread > 0 && !current;
  const badge = news && channel.mention;
  return html`<a class=${`side-row ${news ? "unread" : ""}`} href=${address(to)} aria-current=${current ? "page" : undefined}>
    <span class="side-mark" aria-hidden="true">${mark(channel)}</span>
    <span class="side-name">${channel.name}</span>
    ${channel.im && html`<span class="app-badge">APP</span>`}
    ${channel.private && html`<span class="sr">, private</span>`}
    ${badge ? html`<span class="badge"><span aria-hidden="true">${channel.unread}</span><span class="sr">, ${channel.unread} new for you</span></span>`
      : news && html`<span class="sr">, unread</span>`}
  </a>`;
}

function mark(channel) {
  if (channel.im) return html`<span class="avatar avatar-app small"></span>`;
  return channel.private ? html`<${Icon} name="lock" />` : "#";
}

// Backstage is no part of Slack: it shows what the others in the story see.
function Backstage({ pane }) {
  const side = useMedia(wide);
  const tour = useStore((state) => state.tour);
  const turn = () => go(pane ? { pane: "" } : { pane: "desk", thread: side ? here().thread : "" });
  return html`<section aria-labelledby="side-backstage">
    <h2 id="side-backstage">Behind the scenes</h2>
    <ul><li>
      <button type="button" class="side-row" aria-pressed=${String(Boolean(pane))} onClick=${turn}>
        <span class="side-mark"><${Icon} name="desk" /></span><span class="side-name">Editor's desk</span>
      </button></li>
      ${!tour && html`<li><button type="button" class="side-row" onClick=${() => putAway(false)}>
        <span class="side-mark"><${Icon} name="tour" /></span><span class="side-name">Tour</span></button></li>`}</ul>
  </section>`;
}
