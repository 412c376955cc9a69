// Completion in the composer: commands after "/", people after "@", channels after "#".
import { html, useState, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icons.js";
import { nameOf, standing, useWorld } from "./world.js";

/**
 * useCompletion watches a field: look() after every change, key(e) before any other use of a
 * key (true: it was taken), close(). Completion draws what it found.
 */
export function useCompletion(field, setText, thread) {
  const world = useWorld();
  const [found, setFound] = useState(nothing);
  const [at, setAt] = useState(0);
  const dismissed = useRef(""); // what was typed when Escape was pressed
  const look = () => {
    const next = candidates(field.current.value, field.current.selectionStart, world, thread);
    if (next.typed !== found.typed) setAt(0);
    setFound(next.typed === dismissed.current ? nothing : next);
  };
  const close = () => setFound(nothing);
  // The field itself is written to, at once: a caret that is put in place after the next drawing jumps under
  // fast fingers, and one that waits for a text that does not change jumps when it next does.
  const choose = (item, [from, to] = found.span) => {
    const { value } = field.current;
    field.current.setRangeText(item.insert, from, value[to] === " " ? to + 1 : to, "end");
    field.current.focus();
    setText(field.current.value);
    look();
  };
  const active = found.items[at];
  const key = (e) => {
    if (e.isComposing) return false;
    // Fast fingers are ahead of what was drawn: what the field holds counts.
    const now = candidates(field.current.value, field.current.selectionStart, world, thread);
    const drawn = now.typed === found.typed;
    const row = drawn ? at : 0;
    const items = drawn ? found.items : now.typed === dismissed.current ? [] : now.items;
    if (e.key === "Escape" && found.typed) {
      dismissed.current = found.typed;
      close();
    } else if (items.length === 0) return false;
    else if (e.key === "ArrowDown") setAt((row + 1) % items.length);
    else if (e.key === "ArrowUp") setAt((row - 1 + items.length) % items.length);
    else if (takes(e, items[row], now.typed, row)) choose(items[row], now.span);
    else return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  };
  const aria = { "aria-autocomplete": "list", "aria-controls": active ? "completion" : undefined, "aria-activedescendant": active ? `completion-${at}` : undefined };
  return { found, at, look, key, close, choose, aria };
}

const nothing = { typed: "", items: [], span: [0, 0], hint: null };

// takes: Tab completes, and so does Enter, unless what is typed is whole already: then Enter sends.
function takes(e, item, typed, row) {
  if (e.key === "Tab" && !e.shiftKey) return true;
  const whole = item.insert.trim().toLowerCase() === typed.trim().toLowerCase() || (row === 0 && typed.endsWith(" "));
  return e.key === "Enter" && !e.shiftKey && !whole;
}

/** candidates is what the text before the caret may become. */
export function candidates(value, caret, world, thread) {
  const before = value.slice(0, caret);
  const word = /(?:^|[\s(])([@#])([\w.-]*)$/.exec(before);
  if (!word) return thread ? nothing : commands(before, world);
  const typed = word[1] + word[2];
  const items = (word[1] === "@" ? people(world) : channels(world)).filter((item) => item.sounds.some((s) => s.toLowerCase().startsWith(word[2].toLowerCase())));
  return { typed, span: [caret - typed.length, caret], items: items.slice(0, 10), hint: null };
}

function commands(before, { team }) {
  const typed = before.trimStart();
  if (!typed.startsWith("/")) return nothing;
  const all = team.commands.map((c) => ({ label: c.command, usage: c.usage_hint || "", says: c.description, insert: c.command + " " }));
  const items = all.filter((item) => item.label.startsWith(typed.toLowerCase()));
  if (items.length === 0) return hint(typed, all);
  return { typed, span: [before.length - typed.length, before.length], items, hint: null };
}

// hint is the usage of the command that stands there already: Slack knows no more of what may follow.
function hint(typed, all) {
  const found = all.find((item) => item.label === typed.split(" ")[0]);
  return found ? { typed, span: [0, 0], items: [], hint: found } : nothing;
}

const people = ({ users, team }) => users.map((u) => ({
  label: u.id === team.app.user ? team.app.name : nameOf(u),
  usage: "@" + u.name,
  says: standing(u),
  sounds: [u.name, nameOf(u)],
  insert: `@${u.name} `,
  mark: html`<${Avatar} id=${u.id} size="small" />`,
}));

const channels = ({ channels: all }) => all.filter((c) => !c.im).map((c) => ({
  label: "#" + c.name,
  usage: "",
  says: c.private ? "Private" : "",
  sounds: [c.name],
  insert: `#${c.name} `,
  mark: c.private && html`<${Icon} name="lock" />`,
}));

/** Completion draws the list above the field, or a command's usage. */
export function Completion({ of }) {
  const { found, at, choose } = of;
  const list = useRef();
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, found.typed]);
  if (found.hint) return html`<p class="completion usage" role="status"><code>${found.hint.label} <span>${found.hint.usage}</span></code> ${found.hint.says}</p>`;
  if (found.items.length === 0) return null;
  return html`<div class="completion">
    <ul id="completion" role="listbox" aria-label="Suggestions" tabindex="0" ref=${list}>
      ${found.items.map((item, i) => html`<li key=${item.insert} id=${`completion-${i}`} role="option" aria-selected=${String(i === at)}
        onPointerDown=${(e) => e.preventDefault()} onClick=${() => choose(item)}>
        ${item.mark}<span class="completion-label">${item.label} ${item.usage && html`<span class="completion-usage">${item.usage}</span>`}</span>
        <span class="completion-says">${item.says}</span></li>`)}
    </ul>
    <p class="completion-keys" aria-hidden="true"><b>↑↓</b> choose · <b>Tab</b> or <b>Enter</b> takes · <b>Esc</b> closes</p>
    <p class="sr" role="status">${found.items.length} ${found.items.length === 1 ? "suggestion" : "suggestions"}</p>
  </div>`;
}
