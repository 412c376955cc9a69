// The app's own place: Home and Messages.
import { html, useRef } from "/static/vendor/htm-preact.js";
import { Home } from "./home.js";
import { Icon } from "./icons.js";
import { Conversation } from "./place.js";
import { go } from "./route.js";
import { useWorld } from "./world.js";

const tabs = [["home", "Home"], ["messages", "Messages"]];

/** AppPlace: the direct messages with the app, and the Home it publishes. */
export function AppPlace({ snap, place }) {
  const world = useWorld();
  const { app } = world.team;
  const list = useRef();
  const keys = (e) => {
    if (e.key !== "ArrowRight" && e.key !== "ArrowLeft") return;
    const other = place.app === "home" ? 1 : 0;
    go({ app: tabs[other][0] });
    list.current.children[other].focus();
  };
  return html`<main class="place" data-region tabindex="-1" aria-label=${app.name}>
    <header class="pane-head">
      <button type="button" class="icon-button only-phone" aria-label="Back" title="Back" onClick=${() => go({ app: "" })}><${Icon} name="back" /></button>
      <span class="avatar avatar-app" aria-hidden="true"></span>
      <h2>${app.name}</h2><span class="app-badge">APP</span>
      <div class="tabs" role="tablist" aria-label=${app.name} ref=${list} onKeyDown=${keys}>
        ${tabs.map(([name, label]) => html`<button type="button" role="tab" class="tab" key=${name} id=${"app-" + name} aria-controls="app-body"
          aria-selected=${String(place.app === name)} tabindex=${place.app === name ? 0 : -1} onClick=${() => go({ app: name })}>${label}</button>`)}
      </div>
    </header>
    <div class="app-body" id="app-body" role="tabpanel" aria-labelledby=${"app-" + place.app} tabindex=${place.app === "home" ? 0 : -1}>
      ${place.app === "home"
        ? html`<div class="home-scroll"><${Home} view=${snap.home} ...${world} /></div>`
        : html`<${Conversation} key=${place.id} snap=${snap} place=${place} />`}
    </div>
  </main>`;
}
