// A layer is a dialog over the page. The top one keeps the focus inside itself,
// hears Esc, and gives the focus back where it was when it goes.

import { useLayoutEffect } from "/static/vendor/htm-preact.js";
import { seen } from "../seen.js";

const layers = [];

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]';

export const focusables = (root) => [...root.querySelectorAll(focusable)].filter(seen);

const isTop = (root) => layers.at(-1) === root;

function turn(root, event) {
  const stops = focusables(root);
  if (stops.length === 0) {
    event.preventDefault();
    return;
  }
  const at = stops.indexOf(document.activeElement);
  if (event.shiftKey && at <= 0) {
    event.preventDefault();
    stops.at(-1).focus();
  } else if (!event.shiftKey && at === stops.length - 1) {
    event.preventDefault();
    stops[0].focus();
  }
}

/** Holds the focus in ref's element while it is on the screen. */
export function useLayer(ref, escape) {
  useLayoutEffect(() => {
    const root = ref.current;
    const before = whereNow();
    layers.push(root);
    const keepIn = (event) => {
      if (isTop(root) && !root.contains(event.target)) root.focus({ preventScroll: true });
    };
    document.addEventListener("focusin", keepIn);
    return () => {
      document.removeEventListener("focusin", keepIn);
      layers.splice(layers.indexOf(root), 1);
      giveBack(root, before);
    };
  }, []);
  useLayoutEffect(() => { // fast fingers are ahead of what is painted
    const root = ref.current;
    const press = (event) => {
      if (!isTop(root)) return;
      if (event.key === "Tab") turn(root, event);
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      escape();
    };
    root.addEventListener("keydown", press);
    const look = requestAnimationFrame(() => takeBack(root));
    return () => {
      cancelAnimationFrame(look);
      root.removeEventListener("keydown", press);
    };
  });
}

// takeBack brings the focus in when what had it went away. It is asked between two frames: in the
// middle of a Tab nothing has the focus for a moment.
function takeBack(root) {
  if (isTop(root) && !root.contains(document.activeElement)) root.focus({ preventScroll: true });
}

// whereNow are what has the focus and what it stands in, the nearest first: a message, a part of the page.
function whereNow() {
  const at = document.activeElement;
  if (!at || at === document.body) return [];
  const part = at.closest("[data-region]");
  return [at, at.closest("[data-ts]"), part?.querySelector("textarea"), part].filter(Boolean);
}

// giveBack is at once where it can be: the next key comes before the next frame. And it looks again when the page is
// drawn: what had the focus may come back with it. When that is gone, as a button is that was pressed for good, the
// focus goes to what it stood in.
function giveBack(root, before) {
  if (root.contains(document.activeElement) && before[0]?.isConnected) before[0].focus({ preventScroll: true });
  requestAnimationFrame(() => {
    const lost = document.activeElement === document.body || !document.activeElement?.isConnected;
    if (lost) before.find((one) => one.isConnected)?.focus({ preventScroll: true });
  });
}
