// The right-hand panel: the desk.
import { html } from "/static/vendor/htm-preact.js";
import { Desk } from "./desk.js";
import { Icon } from "./icons.js";
import { go, phone, useMedia } from "./route.js";
import { useWorld } from "./world.js";

/** Panel shows it. */
export function Panel() {
  const world = useWorld();
  return html`<section class="panel" role=${useMedia(phone) ? "main" : "complementary"} aria-label="Behind the scenes" data-region tabindex="-1">
    <header class="pane-head">
      <button type="button" class="icon-button only-phone" aria-label="Back" title="Back" onClick=${() => go({ pane: "" })}><${Icon} name="back" /></button>
      <h2>Editor's desk</h2>
      <button type="button" class="icon-button not-phone" aria-label="Close the panel" title="Close" onClick=${() => go({ pane: "" })}><${Icon} name="close" /></button>
    </header>
    <div class="panel-body" tabindex="0"><${Desk} ...${world} /></div>
  </section>`;
}
