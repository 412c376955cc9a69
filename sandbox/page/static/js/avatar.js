// The little square beside a name: initials on a colour of the person's own, or the app's mark.
import { html } from "/static/vendor/htm-preact.js";
import { nameOf, useWorld } from "./world.js";

const hues = ["plum", "teal", "ochre", "indigo", "moss", "rust", "slate"];

// hue is the same for one person everywhere, and different for those of one small team.
function hue(id, users) {
  const at = users.findIndex((u) => u.id === id);
  return hues[(at < 0 ? id.length : at) % hues.length];
}

/** Avatar of a user id. */
export function Avatar({ id, name = "", app = false, size = "" }) {
  const { users } = useWorld();
  const user = users.find((u) => u.id === id);
  if (app || (user?.bot && user.name !== "slackbot")) return html`<span class=${`avatar avatar-app ${size}`} aria-hidden="true"></span>`;
  const initial = (user ? nameOf(user) : name || "?").trim().charAt(0).toUpperCase();
  return html`<span class=${`avatar ${size} hue-${hue(id, users)}`} aria-hidden="true">${initial}</span>`;
}
