import { html } from "/static/vendor/htm-preact.js";
import { threadAt } from "../mrkdwn.js";
import { goTo } from "../route.js";
import { plain } from "./text.js";
import { usePress } from "./surface.js";

/** A button; one with a url opens it in a new tab, or here if it is a message, and tells the app as well. */
export function Button({ block, element }) {
  const [busy, press] = usePress(block, element);
  const look = `bk-button${element.style ? ` bk-button--${element.style}` : ""}`;
  const label = element.accessibility_label || undefined;
  const words = html`<span class="bk-button__text">${plain(element.text)}</span>`;
  if (element.url) {
    const thread = threadAt(element.url);
    const open = (e) => {
      press();
      if (!thread) return;
      e.preventDefault();
      goTo(thread);
    };
    return html`<a class=${look} href=${element.url} target="_blank" rel="noopener noreferrer" aria-label=${label} onClick=${open}>${words}</a>`;
  }
  return html`
    <button type="button" class=${look} aria-label=${label} aria-busy=${busy} aria-disabled=${busy} data-action=${element.action_id} onClick=${() => press()}>
      ${words}
    </button>
  `;
}
