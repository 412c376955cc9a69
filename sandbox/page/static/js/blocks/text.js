// Text objects: mrkdwn as Slack draws it, plain text as it is (with its emoji).

import { html } from "/static/vendor/htm-preact.js";
import { mrkdwn, plainText } from "../mrkdwn.js";
import { useSurface } from "./surface.js";

/** A text object as it reads. */
export function Text({ of }) {
  const { users, channels, me } = useSurface();
  if (!of?.text) return null;
  return html`<span class="bk-text">${of.type === "mrkdwn" ? mrkdwn(of.text, { users, channels, me, verbatim: of.verbatim }) : plain(of)}</span>`;
}

/** A plain_text object's words; :names: become emoji unless it says otherwise. */
export const plain = (of) => (of?.emoji === false ? of.text : plainText(of?.text ?? ""));
