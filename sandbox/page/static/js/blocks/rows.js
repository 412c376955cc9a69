// Blocks that are a row: header, divider, context, actions.

import { html } from "/static/vendor/htm-preact.js";
import { Element } from "./element.js";
import { Text, plain } from "./text.js";

export const Header = ({ block }) => html`<h3 class="bk-header bk-text" dir="auto">${plain(block.text)}</h3>`;

export const Divider = () => html`<hr class="bk-divider" />`;

export const Context = ({ block }) => html`
  <div class="bk-context">
    ${block.elements.map((element, i) =>
      element.type === "image" ? html`<${Element} key=${i} block=${block} element=${element} look="inline" />` : html`<span key=${i} dir="auto"><${Text} of=${element} /></span>`,
    )}
  </div>
`;

export const Actions = ({ block }) => html`
  <div class="bk-actions">${block.elements.map((element) => html`<${Element} key=${element.action_id} block=${block} element=${element} />`)}</div>
`;
