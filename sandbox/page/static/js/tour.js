// The tour: what Darkroom is, in a sentence, and the next thing to try, over everything else.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { tell, useStore, write } from "./store.js";
import { useWorld } from "./world.js";

const away = "tour put away"; // in the tab's storage, so that a reload does not bring it back

/** putAway hides the tour, or takes it out again. */
export function putAway(hidden) {
  try {
    if (hidden) sessionStorage.setItem(away, "yes");
    else sessionStorage.removeItem(away);
  } catch {
    // It holds until the page is left.
  }
  write({ tour: !hidden });
}

function wasAway() {
  try {
    return sessionStorage.getItem(away) !== null;
  } catch {
    return false;
  }
}

/** The tour's bar. A step is ticked off by what the workspace and the service show. */
export function Tour({ snap }) {
  const shown = useStore((state) => state.tour);
  const [open, setOpen] = useState(false);
  const bar = useRef();
  useShut(bar, open, () => setOpen(false));
  useLayoutEffect(() => {
    if (wasAway()) write({ tour: false });
  }, []);
  if (!snap.tour || !shown) return null;
  const { steps } = snap.tour;
  const hide = () => {
    putAway(true);
    requestAnimationFrame(() => document.querySelector(".place")?.focus({ preventScroll: true })); // the button that had the focus is gone
  };
  const at = steps.findIndex((s) => !s.done);
  return html`<aside class="tour" aria-label="Tour" data-region tabindex="-1" ref=${bar}>
    ${at === 0 && html`<p class="tour-says">With <b>Darkroom</b>, a team orders photo edits by human editors from Slack.</p>`}
    ${at < 0 ? html`<p class="tour-step" role="status">That is all of it. Thank you for looking.</p>` : html`<${Next} snap=${snap} step=${steps[at]} at=${at} of=${steps.length} />`}
    <div class="tour-tools">
      <button type="button" class="link" aria-expanded=${String(open)} aria-controls="tour-steps" onClick=${() => setOpen(!open)}>All steps</button>
      <button type="button" class="icon-button" aria-label="Hide the tour" title="Hide the tour" onClick=${hide}><${Icon} name="close" /></button>
    </div>
    <ol id="tour-steps" class="tour-steps" hidden=${!open}>${steps.map((s) => html`<li key=${s.id} class=${s.done ? "done" : ""} aria-current=${s === steps[at] ? "step" : undefined}>
      <span class="tour-tick" role="img" aria-label=${s.done ? "Done" : "To do"}>${s.done ? "✓" : ""}</span><span><b>${s.title}.</b> ${s.how}</span></li>`)}</ol>
  </aside>`;
}

// useShut shuts what is open by Escape, before anything under it, and by a press beside it.
function useShut(bar, open, shut) {
  useEffect(() => {
    if (!open) return undefined;
    const key = (e) => {
      if (e.key !== "Escape" || document.querySelector("dialog[open]")) return;
      e.stopPropagation();
      shut();
    };
    const beside = (e) => bar.current?.contains(e.target) || shut();
    document.addEventListener("keydown", key, true);
    document.addEventListener("pointerdown", beside);
    return () => {
      document.removeEventListener("keydown", key, true);
      document.removeEventListener("pointerdown", beside);
    };
  }, [open]);
}

function Next({ snap, step, at, of }) {
  const { team, api } = useWorld();
  const photos = at === 0 && !snap.modal && snap.messages.findLast((m) => m.shortcuts && m.files.some((f) => f.type.startsWith("image/")));
  const shortcut = team.shortcuts.find((s) => s.message && s.name === "Order these photos");
  const order = () => {
    document.querySelector(`.place [data-ts="${photos.ts}"]`)?.focus(); // where the keyboard is when the form has closed
    api.act("message_shortcut", { channel: photos.channel, ts: photos.ts, callback: shortcut.callback }).catch(tell);
  };
  return html`<p class="tour-step" role="status"><span class="tour-count">${at + 1} of ${of}</span> <b>${step.title}.</b> ${step.how}</p>
    ${photos && shortcut && html`<button type="button" class="button primary" onClick=${order}>${shortcut.name}</button>`}`;
}
