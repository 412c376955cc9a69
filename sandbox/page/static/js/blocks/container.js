import { html, useState } from "/static/vendor/htm-preact.js";
import { Picture } from "./picture.js";
import { RichText } from "./rich_text.js";
import { useID, useSurface } from "./surface.js";
import { Text } from "./text.js";

/** Blocks under one title, which may close them. */
export function Container({ block }) {
  const { drawAll } = useSurface();
  const [open, setOpen] = useState(!block.default_collapsed);
  const id = useID();
  const shown = open || !block.is_collapsible;
  const title = block.rich_text_title ? html`<${RichText} block=${block.rich_text_title} />` : html`<span dir="auto"><${Text} of=${block.title} /></span>`;
  return html`<div class=${`bk-container bk-container--${block.width ?? "standard"}`} role="group" aria-labelledby=${id}>
    <div class=${`bk-container__head${block.has_header_divider ? " bk-container__head--divided" : ""}`}>
      ${block.icon && html`<${Picture} of=${block.icon} look="icon" />`}
      <div class="bk-container__titles">
        <div class="bk-container__title" id=${id}>${title}</div>
        ${block.subtitle && html`<div class="bk-card__soft" dir="auto"><${Text} of=${block.subtitle} /></div>`}
      </div>
      ${block.is_collapsible && html`<button type="button" class="bk-icon bk-container__fold" aria-expanded=${String(shown)} aria-label=${shown ? "Collapse" : "Expand"} aria-describedby=${id}
        onClick=${() => setOpen(!open)}><span aria-hidden="true">${shown ? "⌃" : "⌄"}</span></button>`}
    </div>
    ${shown && html`<div class="bk-container__body">${drawAll(block.child_blocks)}</div>`}
  </div>`;
}
