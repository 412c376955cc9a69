// Keys that work wherever one is.
import { useEffect } from "/static/vendor/htm-preact.js";
import { go, here } from "./route.js";
import { read, write } from "./store.js";

/** useRegions: F6 goes from pane to pane, Escape closes the thread, Ctrl+. opens the shortcuts. */
export function useRegions(modal) {
  useEffect(() => {
    const press = (e) => {
      if (modal || e.defaultPrevented) return;
      if (e.key === "F6") step(e);
      if (e.key === "." && (e.ctrlKey || e.metaKey)) shortcuts(e);
      if (e.key === "Escape") leave(e);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [Boolean(modal)]);
}

function shortcuts(e) {
  e.preventDefault();
  write({ shortcuts: read().shortcuts + 1 });
}

function leave(e) {
  if (e.isComposing || e.target.closest?.("[role=menu], [role=dialog], [role=listbox]")) return;
  const { thread, pane } = here();
  if (thread && !e.target.closest?.(".panel")) go({ thread: "" });
  else if (pane && e.target.closest?.(".panel")) go({ pane: "" });
  else return;
  e.preventDefault();
  requestAnimationFrame(() => document.querySelector(".place textarea")?.focus());
}

// step moves the focus to the next region on the screen, to its own first field if it has one.
function step(e) {
  e.preventDefault();
  const regions = [...document.querySelectorAll("[data-region]")].filter((region) => region.getClientRects().length > 0);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + (e.shiftKey ? -1 : 1) + regions.length) % regions.length];
  (next?.querySelector("textarea") || next)?.focus();
}
