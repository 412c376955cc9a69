import { html } from "/static/vendor/htm-preact.js";
import { Element } from "./element.js";
import { Text } from "./text.js";

/** Text, fields in two columns, and one element beside them. */
export function Section({ block }) {
  const { accessory } = block;
  return html`
    <div class=${`bk-section${accessory ? ` bk-section--${accessory.type === "image" ? "pictured" : "with"}` : ""}`}>
      <div class="bk-section__words">
        ${block.text && html`<div dir="auto"><${Text} of=${block.text} /></div>`}
        ${block.fields && html`<div class="bk-fields">${block.fields.map((field, i) => html`<div key=${i} dir="auto"><${Text} of=${field} /></div>`)}</div>`}
      </div>
      ${accessory && html`<div class="bk-section__beside"><${Element} block=${block} element=${accessory} /></div>`}
    </div>
  `;
}
