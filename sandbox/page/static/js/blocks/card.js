// A card: a picture, words, at most three buttons.

import { html } from "/static/vendor/htm-preact.js";
import { Element } from "./element.js";
import { Picture } from "./picture.js";
import { Text } from "./text.js";

/** A card; as large as its words need. */
export function Card({ block }) {
  return html`<article class="bk-card">
    ${block.hero_image && html`<${Picture} of=${block.hero_image} look="hero" />`}
    ${(block.title || block.subtitle || block.icon) && html`<div class="bk-card__head">
      ${block.icon && html`<${Picture} of=${block.icon} look="icon" />`}
      <div class="bk-card__titles">
        ${block.title && html`<div class="bk-card__title" dir="auto"><${Text} of=${block.title} /></div>`}
        ${block.subtitle && html`<div class="bk-card__soft" dir="auto"><${Text} of=${block.subtitle} /></div>`}
      </div>
    </div>`}
    ${block.body && html`<div dir="auto"><${Text} of=${block.body} /></div>`}
    ${block.subtext && html`<div class="bk-card__soft" dir="auto"><${Text} of=${block.subtext} /></div>`}
    ${block.actions?.length > 0 && html`<div class="bk-actions">${block.actions.map((element) => html`<${Element} key=${element.action_id} block=${block} element=${element} />`)}</div>`}
  </article>`;
}
