// The keys of a list of messages. Each message is one Tab stop; Enter goes in to what can be
// pressed in it, the arrows move there, Escape leads out again.
import { useLayoutEffect } from "/static/vendor/htm-preact.js";
import { seen } from "./seen.js";

const pressable = "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]:not(.message)";
const floating = "[role=menu], [role=listbox], [role=dialog]";
const fields = "input, select, textarea, [role=combobox]"; // arrows are theirs
const forward = ["ArrowDown", "ArrowRight"];
const back = ["ArrowUp", "ArrowLeft"];

const controls = (message) => [...message.querySelectorAll(pressable)].filter((e) => !e.closest(`${floating}, .sr`) && seen(e));

/**
 * useOneStopEach takes what is inside the list's messages out of the Tab order, whenever it is drawn. Who stood on
 * something that is drawn no more stands on its message then.
 */
export function useOneStopEach(list) {
  useLayoutEffect(() => {
    let stood = null;
    const stand = ({ target }) => { stood = { on: target, message: target.closest(".message") }; };
    const leave = ({ target }) => queueMicrotask(() => {
      if (target.isConnected && target !== document.activeElement && stood?.on === target) stood = null; // it was left, not taken away
    });
    const mark = () => {
      if (stood && !stood.on.isConnected && document.activeElement === document.body) {
        const part = list.current.closest("[data-region]");
        (stood.message?.isConnected ? stood.message : part?.querySelector("textarea") ?? part)?.focus({ preventScroll: true });
      }
      for (const e of list.current.querySelectorAll(`.message :is(${pressable})`)) if (e.tabIndex >= 0 && !e.closest(floating)) e.tabIndex = -1;
    };
    const drawn = new MutationObserver(mark);
    drawn.observe(list.current, { childList: true, subtree: true, attributes: true, attributeFilter: ["tabindex", "href", "disabled"] });
    mark();
    list.current.addEventListener("focusin", stand);
    list.current.addEventListener("focusout", leave);
    return () => drawn.disconnect();
  }, []);
}

/** walk is what a key does in the list. */
export function walk(e) {
  const message = e.target.closest(".message");
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || !message || e.target.closest(floating)) return;
  const to = e.target === message ? from(message, e.key) : within(message, e);
  if (!to) return;
  e.preventDefault();
  e.stopPropagation();
  to.focus();
}

/** from is where a key leads from a message. */
function from(message, key) {
  if (key === "Enter") return controls(message)[0];
  const all = [...message.parentElement.querySelectorAll(":scope > .message")];
  const at = all.indexOf(message);
  return { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1) }[key];
}

/** within is where a key leads from something inside a message; around and around. */
function within(message, e) {
  if (e.key === "Escape") return message;
  const all = controls(message);
  const at = all.indexOf(e.target);
  if (at < 0) return null;
  if (e.target.matches(fields)) return e.key === "Tab" ? all[at + (e.shiftKey ? -1 : 1)] : null;
  if (forward.includes(e.key)) return all[(at + 1) % all.length];
  if (back.includes(e.key)) return all.at(at - 1);
  return { Home: all[0], End: all.at(-1) }[e.key];
}
