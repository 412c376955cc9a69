// The right-hand panel: the desk and the wire.
import { html, useRef } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { lazy } from "./lazy.js";
import { go, phone, useMedia } from "./route.js";
import { useWorld } from "./world.js";

const waiting = html`<p class="missing">Loading…</p>`;

/** tabs are what the panel can show, as the address names them. */
export const tabs = [
  { name: "desk", label: "Editor's desk", Part: lazy("/static/js/desk.js", "Desk", waiting) },
  { name: "wire", label: "Wire", Part: lazy("/static/js/wire.js", "Wire", waiting) },
];

/** Panel shows one of them. Only that one is alive: each keeps a connection open. */
export function Panel({ pane }) {
  const world = useWorld();
  const shown = tabs.find((tab) => tab.name === pane) || tabs[0];
  const list = useRef();
  const keys = (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const next = (tabs.indexOf(shown) + step + tabs.length) % tabs.length;
    go({ pane: tabs[next].name });
    list.current.children[next].focus();
  };
  return html`<section class="panel" role=${useMedia(phone) ? "main" : "complementary"} aria-label="Behind the scenes" data-region tabindex="-1">
    <header class="pane-head panel-head">
      <button type="button" class="icon-button only-phone" aria-label="Back" title="Back" onClick=${() => go({ pane: "" })}><${Icon} name="back" /></button>
      <div class="tabs" role="tablist" aria-label="Behind the scenes" ref=${list} onKeyDown=${keys}>
        ${tabs.map((tab) => html`<button type="button" role="tab" key=${tab.name} id=${"tab-" + tab.name} aria-controls="panel-body" class="tab"
          aria-selected=${String(tab === shown)} tabindex=${tab === shown ? 0 : -1} onClick=${() => go({ pane: tab.name })}>${tab.label}</button>`)}
      </div>
      <button type="button" class="icon-button not-phone" aria-label="Close the panel" title="Close" onClick=${() => go({ pane: "" })}><${Icon} name="close" /></button>
    </header>
    <div class="panel-body" id="panel-body" role="tabpanel" aria-labelledby=${"tab-" + shown.name} tabindex="0">
      <${shown.Part} key=${shown.name} ...${world} />
    </div>
  </section>`;
}
