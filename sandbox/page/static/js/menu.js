// A button with a menu: arrows, Home, End and first letters move, Escape gives the focus back.
import { html, useState, useRef, useEffect, useLayoutEffect } from "/static/vendor/htm-preact.js";

/**
 * Menu draws its button and, when it is open, its items: {label, act, icon, checked,
 * note} or {heading}. A worded button has its name in its children. opener() is given a function that opens it from elsewhere.
 */
export function Menu({ label, children, items, class: kind = "", worded = false, opener, expands }) {
  const [open, setOpen] = useState(false);
  const button = useRef();
  useEffect(() => opener?.(() => setOpen(true)), [opener]);
  useEffect(() => expands?.(open), [open]);
  const shut = (focus) => {
    setOpen(false);
    if (focus) button.current?.focus();
  };
  return html`<span class="menu-anchor">
    <button type="button" ref=${button} class=${kind} aria-label=${worded ? undefined : label} title=${label} aria-haspopup="menu" aria-expanded=${String(open)}
      onClick=${() => setOpen(!open)}>${children}</button>
    ${open && html`<${Items} label=${label} items=${typeof items === "function" ? items() : items} anchor=${button} shut=${shut} />`}
  </span>`;
}

function Items({ label, items, anchor, shut }) {
  const list = useRef();
  useLayoutEffect(() => {
    place(list.current, anchor.current);
    const first = list.current.querySelector("[aria-checked=true]") || list.current.querySelector("[role^=menuitem]");
    first?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const outside = (e) => {
      if (!list.current?.contains(e.target) && !anchor.current?.contains(e.target)) shut(false);
    };
    const moved = (e) => !list.current?.contains(e.target) && shut(false);
    addEventListener("pointerdown", outside, true);
    addEventListener("scroll", moved, true);
    addEventListener("resize", moved);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("scroll", moved, true);
      removeEventListener("resize", moved);
    };
  }, []);
  const keys = (e) => {
    if (e.key === "Escape" || e.key === "Tab") {
      e.preventDefault();
      e.stopPropagation();
      shut(true);
      return;
    }
    const all = [...list.current.querySelectorAll("[role^=menuitem]")];
    const next = follow(e.key, all.indexOf(document.activeElement), all);
    if (next < 0) return;
    e.preventDefault();
    e.stopPropagation();
    all[next].focus();
  };
  return html`<div ref=${list} class="menu" role="menu" aria-label=${label} onKeyDown=${keys}>
    ${items.filter(Boolean).map((item) => (item.heading
      ? html`<div class="menu-heading" role="presentation" key=${item.heading}>${item.heading}</div>`
      : html`<${Item} key=${item.label} item=${item} shut=${shut} />`))}
  </div>`;
}

function Item({ item, shut }) {
  const choose = () => {
    shut(!item.leaves);
    item.act();
  };
  const radio = item.checked !== undefined;
  return html`<button type="button" role=${radio ? "menuitemradio" : "menuitem"} aria-checked=${radio ? String(item.checked) : undefined}
    class="menu-item" tabindex="-1" onClick=${choose} title=${item.title} aria-label=${item.title}>
    ${item.icon}<span class="menu-label">${item.label}${item.note && html`<span class="menu-note">${item.note}</span>`}</span>
  </button>`;
}

// follow is the index a key leads to; -1: it is no key of a menu.
function follow(key, at, all) {
  const n = all.length;
  const steps = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };
  if (steps[key]) return (at + steps[key] + n) % n;
  if (key === "Home") return 0;
  if (key === "End") return n - 1;
  if (key.length !== 1 || key === " ") return -1;
  for (let i = 1; i <= n; i++) {
    if (all[(at + i) % n].textContent.trim().toLowerCase().startsWith(key.toLowerCase())) return (at + i) % n;
  }
  return -1;
}

// place puts the menu beside its button, within the window.
function place(menu, button) {
  const near = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = near.bottom + 4 + height <= innerHeight || near.top < height;
  const right = near.left + width > innerWidth - 8;
  const left = right ? near.right - width : near.left;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${below ? Math.min(near.bottom + 4, Math.max(8, innerHeight - height - 8)) : near.top - height - 4}px`;
}
