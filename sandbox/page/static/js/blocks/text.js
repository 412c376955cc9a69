// Text objects: mrkdwn as Slack draws it, plain text as it is (with its emoji).

import { html } from "/static/vendor/htm-preact.js";
import { mrkdwn } from "../mrkdwn.js";
import { useSurface } from "./surface.js";

/** A text object as it reads. */
export function Text({ of }) {
  const { users, channels } = useSurface();
  if (!of?.text) return null;
  return html`<span class="bk-text">${of.type === "mrkdwn" ? mrkdwn(of.text, { users, channels }) : plain(of)}</span>`;
}

const shorthand = /:[a-z0-9_+'-]+(?:::skin-tone-[2-6])?:/g;

/** A plain_text object's words; :names: become emoji unless it says otherwise. */
export function plain(of) {
  if (!of?.text) return "";
  if (of.emoji === false || !of.text.includes(":")) return of.text;
  return of.text.split(shorthand).flatMap((words, i) => (i === 0 ? [words] : [mrkdwn(of.text.match(shorthand)[i - 1], {}), words]));
}
