// Keys that work wherever one is, and where people are told of all of them.
import { html, useEffect, useLayoutEffect, useRef } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { go, here } from "./route.js";
import { seen } from "./seen.js";
import { read, useStore, write } from "./store.js";

const told = [
  ["F6, Shift + F6", "the next part of the page, the one before"],
  ["Tab", "the next thing to use; a message is one"],
  ["↑ ↓", "from message to message"],
  ["Enter", "goes in to a message’s links and buttons"],
  ["↑ ↓ ← →", "from one of them to the next"],
  ["Esc", "leads out again; closes a form, a thread, a panel"],
  ["Enter, Shift + Enter", "sends what is typed, begins a new line"],
  ["/ @ #", "commands, people, channels"],
  ["Ctrl + .", "the app’s shortcuts"],
  ["Ctrl + Enter", "submits a form"],
  ["Ctrl + /", "these keys"],
];

/** Help tells the keys. */
export function Help() {
  const open = useStore((state) => state.help);
  const dialog = useRef();
  useEffect(() => {
    if (open) dialog.current.showModal();
  }, [open]);
  if (!open) return null;
  return html`<dialog class="keys" aria-modal="true" aria-labelledby="keys-title" ref=${dialog} onClose=${() => write({ help: false })}>
    <header><h2 id="keys-title">Keys</h2>
      <button type="button" class="icon-button" aria-label="Close" title="Close" onClick=${() => dialog.current.close()}><${Icon} name="close" /></button></header>
    <dl>${told.map(([key, does]) => html`<div><dt>${key}</dt><dd>${does}</dd></div>`)}</dl>
  </dialog>`;
}

/** SkipLink is the page's first Tab stop: it leads to the newest message, from which Tab leads to the composer. */
export function SkipLink() {
  const skip = (e) => {
    e.preventDefault();
    const all = [...document.querySelectorAll(".place .message, .place textarea, [data-region]")].filter(seen);
    (all.findLast((one) => one.matches(".message")) || all.find((one) => one.matches("textarea")) || all[0])?.focus();
  };
  return html`<a class="skip" href=${location.hash || "#"} onClick=${skip}>Skip to the messages</a>
    <p id="message-keys" hidden>Enter goes in to a message’s links and buttons, the arrows move, Escape leads out. F6 goes to the next part of the page.</p>`;
}

/** useRegions: F6 goes from pane to pane, Escape closes the thread, Ctrl+. opens the shortcuts, Ctrl+/ tells the keys. */
export function useRegions(modal) {
  useLayoutEffect(() => { // fast fingers are ahead of what is painted
    const press = (e) => {
      if (modal || e.defaultPrevented || inDialog()) return; // a dialog's keys are its own
      if (e.key === "F6") step(e);
      if (e.key === "/" && (e.ctrlKey || e.metaKey)) write({ help: true });
      if (e.key === "." && (e.ctrlKey || e.metaKey)) shortcuts(e);
      if (e.key === "Escape") leave(e);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [Boolean(modal)]);
}

// inDialog tells whether a dialog is on the screen. One that was just closed is still in the page for a moment.
function inDialog() {
  return [...document.querySelectorAll("[aria-modal=true]")].some(seen);
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
  const regions = [...document.querySelectorAll("[data-region]")].filter(seen);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + (e.shiftKey ? -1 : 1) + regions.length) % regions.length];
  (next?.querySelector("textarea") || next)?.focus();
}
