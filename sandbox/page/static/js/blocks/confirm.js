// Slack's confirm object: "are you sure", with the app's own words on the buttons.

import { html, render, useLayoutEffect, useRef } from "/static/vendor/htm-preact.js";
import { mrkdwn } from "../mrkdwn.js";
import { useLayer } from "./layers.js";

/** Asks; resolves to whether the person confirmed. */
export function ask(confirm, world) {
  return new Promise((resolve) => {
    const host = document.body.appendChild(document.createElement("div"));
    const answer = (yes) => {
      render(null, host);
      host.remove();
      resolve(yes);
    };
    render(html`<${Confirm} of=${confirm} world=${world} answer=${answer} />`, host);
  });
}

function Confirm({ of, world, answer }) {
  const root = useRef(null);
  const deny = useRef(null);
  useLayer(root, () => answer(false));
  useLayoutEffect(() => deny.current.focus(), []);
  const words = of.text?.type === "mrkdwn" ? mrkdwn(of.text.text, world) : of.text?.text;
  return html`
    <div class="bk-scrim bk-scrim--confirm">
      <div ref=${root} class="bk-confirm" role="alertdialog" aria-modal="true" aria-labelledby="bk-confirm-title" aria-describedby="bk-confirm-text" tabindex="-1">
        <h2 id="bk-confirm-title" class="bk-text">${of.title?.text ?? "Are you sure?"}</h2>
        <p id="bk-confirm-text" class="bk-text">${words}</p>
        <div class="bk-confirm__buttons">
          <button ref=${deny} type="button" class="bk-button" onClick=${() => answer(false)}>${of.deny?.text ?? "Cancel"}</button>
          <button type="button" class=${`bk-button bk-button--${of.style === "danger" ? "danger" : "primary"}`} onClick=${() => answer(true)}>
            ${of.confirm?.text ?? "Yes"}
          </button>
        </div>
      </div>
    </div>
  `;
}
