// The app's Home tab.

import { html } from "/static/vendor/htm-preact.js";
import { Blocks } from "./blocks/blocks.js";

/** The App Home of the person, or a word that it is coming. */
export function Home({ view, ...world }) {
  if (!view) return html`<div class="bk-home"><p class="bk-home__empty" role="status">One moment…</p></div>`;
  return html`
    <div class="bk-home">
      <${Blocks} blocks=${view.blocks} values=${view.values} errors=${view.errors} target=${{ view: view.id }} ...${world} />
    </div>
  `;
}
