import { html } from "/static/vendor/htm-preact.js";

/** What this page does not know is said, not left out. */
export function Unknown({ block, element }) {
  return html`<p class="bk-unknown" data-unknown=${(element ?? block).type}>This content can't be displayed.</p>`;
}
