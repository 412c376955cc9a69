import { html } from "/static/vendor/htm-preact.js";
import { Element, isGroup } from "./element.js";
import { plain } from "./text.js";
import { useID, useSurface } from "./surface.js";

/** An input block: label, field, what is wrong with it, hint. */
export function Input({ block }) {
  const { errors } = useSurface();
  const id = useID();
  const error = errors?.[block.block_id];
  const described = [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(" ");
  const labelled = {
    id,
    "aria-required": !block.optional,
    "aria-invalid": error ? "true" : undefined,
    "aria-describedby": described || undefined,
  };
  const words = html`${plain(block.label)}${block.optional && html` <span class="bk-optional">(optional)</span>`}`;
  const rest = html`
    <${Element} block=${block} element=${block.element} labelled=${labelled} />
    ${error && html`<p id=${`${id}-error`} class="bk-error" dir="auto">${error}</p>`}
    ${block.hint && html`<p id=${`${id}-hint`} class="bk-hint" dir="auto">${plain(block.hint)}</p>`}
  `;
  if (isGroup(block.element)) {
    return html`<fieldset class="bk-input" aria-describedby=${described || undefined}><legend class="bk-label" dir="auto">${words}</legend>${rest}</fieldset>`;
  }
  return html`<div class="bk-input"><label class="bk-label" for=${id} dir="auto">${words}</label>${rest}</div>`;
}
