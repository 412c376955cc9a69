import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { words } from "../mrkdwn.js";
import { every } from "./nested.js";
import { Text, plain } from "./text.js";
import { useFloating } from "./floating.js";
import { usePress, useSurface } from "./surface.js";
import { stateOf } from "./state.js";

/** The menu behind the three dots. */
export function Overflow({ block, element }) {
  const [busy, press] = usePress(block, element);
  const about = useName(block);
  const name = element.options.length === 1 ? `More: ${element.options[0].text.text}` : about;
  const [open, setOpen] = useState(false);
  const dots = useRef(null);
  const menu = useRef(null);
  useFloating(dots, menu, open, () => setOpen(false));
  useEffect(() => {
    if (open) menu.current.querySelector("[role=menuitem]")?.focus();
  }, [open]);
  const shut = () => {
    setOpen(false);
    dots.current.focus();
  };
  const pick = (option) => {
    shut();
    if (option.url) window.open(option.url, "_blank", "noopener");
    press(stateOf("overflow", option));
  };
  return html`
    <button
      ref=${dots}
      type="button"
      class="bk-button bk-dots"
      aria-label=${name}
      aria-haspopup="menu"
      aria-expanded=${open}
      aria-busy=${busy}
      aria-disabled=${busy}
      onClick=${() => !busy && setOpen(!open)}
      onKeyDown=${(event) => {
        if (event.key !== "ArrowDown" || busy) return;
        event.preventDefault();
        setOpen(true);
      }}
    >
      <span aria-hidden="true">⋯</span>
    </button>
    ${open &&
    html`<div ref=${menu} class="bk-floating" role="menu" aria-label=${name} popover="manual" onKeyDown=${(event) => walk(event, shut)}>
      ${element.options.map(
        (option) => html`
          <button type="button" role="menuitem" tabindex="-1" class="bk-option" onClick=${() => pick(option)}>
            ${plain(option.text)}${option.description && html`<small><${Text} of=${option.description} /></small>`}
          </button>
        `,
      )}
    </div>`}
  `;
}

// useName is what the menu is about, as the nearest words above it say: the message it is
// in has a menu called More actions as well.
function useName(block) {
  const surface = useSurface();
  const all = every(surface.blocks);
  const at = all.findIndex((other) => other.block_id === block.block_id);
  const tells = (other) => other.text?.text && (other.type === "header" || other.type === "section");
  const told = all.find((other) => other.type === "header" && tells(other)) ?? all.slice(0, at + 1).findLast(tells);
  if (!told) return "More actions here";
  const line = told.text.text.split("\n")[0];
  return `More actions for ${told.text.type === "mrkdwn" ? words(line, surface) : line}`;
}

/** Moves through a menu's items with the arrow keys, Home, End and letters. */
export function walk(event, shut) {
  const items = [...event.currentTarget.querySelectorAll("[role=menuitem]")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) items[(to + items.length) % items.length].focus();
  else if (event.key === "Escape" || event.key === "Tab") shut();
  else if (event.key.length === 1 && /\S/.test(event.key)) startingWith(items, at, event.key.toLowerCase())?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const startingWith = (items, at, letter) =>
  [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) => item.textContent.trim().toLowerCase().startsWith(letter));
