import { html } from "/static/vendor/htm-preact.js";
import { Text } from "./text.js";

const signs = { info: "i", success: "✓", warning: "!", error: "!" };

/** What must not be missed in a form; what went wrong is spoken at once. */
export function Alert({ block }) {
  const level = block.level ?? "default";
  return html`<div class=${`bk-alert bk-alert--${level}`} role=${level === "error" || level === "warning" ? "alert" : "status"}>
    <span class="bk-alert__sign" aria-hidden="true">${signs[level] ?? "i"}</span>
    <div dir="auto"><${Text} of=${block.text} /></div>
  </div>`;
}
