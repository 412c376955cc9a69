import { html } from "/static/vendor/htm-preact.js";
import { useSurface } from "./surface.js";
import { plain } from "./text.js";

/** Rows of blocks side by side; on a phone they stand below each other. Its label is no heading. */
export function Layout({ block }) {
  const { drawAll } = useSurface();
  return html`<div class=${`bk-layout bk-layout--${block.grid_lines ?? "none"}`}>
    ${block.is_label_visible && html`<p class="bk-layout__label bk-text" dir="auto">${plain({ text: block.label })}</p>`}
    ${block.rows.map((row, i) => html`<div class="bk-layout__row" key=${i}>
      ${row.items.map((item) => html`<div class=${look(item)} key=${item.block.block_id}>${drawAll([item.block])}</div>`)}
    </div>`)}
  </div>`;
}

const look = (item) => `bk-layout__item bk-layout__item--${item.width ?? "standard"}${item.horizontal_alignment ? ` bk-layout__item--${item.horizontal_alignment}` : ""}`;
