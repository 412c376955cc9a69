// What a person before the page sees: words, and things by their role and name as the
// browser's own accessibility tree has them. Nothing here knows a class or an id.
globalThis.eyes = (() => {
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").replace(/ ([,.:])/g, "$1").trim();

  // Where things of a role may be looked for; the browser decides what they are.
  const kinds = {
    button: "button, summary, [role], input[type=button], input[type=submit], input[type=file]",
    textbox: "input, textarea, [contenteditable], [role]",
    radio: "input[type=radio], [role]",
    checkbox: "input[type=checkbox], [role]",
    combobox: "select, input, [role]",
    link: "a, [role]",
    image: "img, [role], svg",
  };

  const shown = (e) => {
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, height } = e.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  // A field that its page draws by other means is where its label is.
  const body = (e) => (shown(e) ? e : [...(e.labels ?? [])].find(shown));

  // What is only read out stands elsewhere too: who looks sees it there, or not at all.
  const unheard = (e, all) => {
    for (const live of e?.querySelectorAll("[aria-live].sr") ?? []) {
      const at = tidy(live.innerText) ? all.lastIndexOf(tidy(live.innerText)) : -1;
      if (at >= 0) all = all.slice(0, at) + all.slice(at + tidy(live.innerText).length);
    }
    return all;
  };

  /** words are what can be read in an element, whatever scrolling it takes. */
  const words = (e) => tidy(unheard(e, tidy(e?.innerText)));

  /** page is all of it; while it arrives there is nothing yet but its root. */
  const page = () => document.body ?? document.documentElement;

  /** layer is what a person can reach: the page, or the dialog on top of it. */
  const layer = () => [...document.querySelectorAll("[aria-modal=true]")].filter(shown).at(-1) ?? page() ?? document; // a page that is just loading has no body

  const roles = (e, wanted) => wanted.includes(e.computedRole);

  // A button that tells screen readers more than it shows is called by what it shows, too; a name
  // that ends in … is the beginning of one.
  const named = (e, name) => {
    const own = tidy(e.computedName).toLowerCase();
    const asked = tidy(name).toLowerCase();
    if (asked.endsWith("…") && own.startsWith(asked.slice(0, -1))) return true;
    return own === asked || own === `${asked} (optional)` || (e.localName === "button" && own.startsWith(asked) && words(e).toLowerCase() === asked);
  };

  /** all are the things of some roles in an element, in reading order. */
  const all = (wanted, within = layer()) => {
    const where = wanted.map((role) => kinds[role] ?? "[role], option, fieldset").join(", ");
    return [...new Set(within.querySelectorAll(where))].filter((e) => roles(e, wanted) && body(e));
  };

  /** holding are the newest item of a list that says the words, and the items around it. */
  const holding = (said) => {
    const items = [...layer().querySelectorAll("li, article, [role=article], [role=listitem], tr")];
    const fits = items.filter((e) => shown(e) && words(e).includes(tidy(said)));
    const newest = fits.filter((e) => !fits.some((other) => other !== e && e.contains(other))).at(-1);
    return fits.filter((e) => e.contains(newest)).reverse();
  };

  /** region are the parts of the page of that name: the thread, a panel, a group of fields. */
  const region = (name) =>
    [...layer().querySelectorAll("aside, main, nav, section, form, fieldset, dialog, ul, ol, [role]")].filter((e) => shown(e) && named(e, name)).reverse();

  /** places are where to look, the nearest first: {} everywhere, {item} a message, {region} a part of the page. */
  const places = ({ item, region: name } = {}) => {
    if (item) return holding(item);
    return name ? region(name) : [layer()];
  };

  // A message may be gone, and what is not to be seen in it with it; a part of the page that is not there is a mistake.
  const nowhere = (where) => ({ nowhere: !where.item, missing: where.item ? `nothing says ${JSON.stringify(where.item)}` : `there is no part called ${JSON.stringify(where.region)}` });

  /** find is the last thing of that role and name there. */
  const find = ({ roles: wanted, name, where = {} }) => {
    const near = places(where);
    for (const within of near) {
      const e = all(wanted, within).findLast((one) => named(one, name));
      if (e) return { e };
    }
    if (near.length === 0) return nowhere(where);
    const there = all(wanted, near.at(-1)).map((e) => tidy(e.computedName)).filter(Boolean);
    return { missing: `no ${wanted.join(" or ")} ${JSON.stringify(name)}; there is ${JSON.stringify(there)}` };
  };

  /** said is the smallest element that shows exactly these words. */
  const said = ({ name, where = {} }) => {
    const near = places(where);
    for (const within of near) {
      const found = [...within.querySelectorAll("*")].filter((e) => words(e) === tidy(name) && shown(e));
      const e = found.findLast((one) => !found.some((other) => other !== one && one.contains(other)));
      if (e) return { e };
    }
    return near.length === 0 ? nowhere(where) : { missing: `nothing says ${JSON.stringify(name)} alone` };
  };

  /** reads tells whether words can be read there. */
  const reads = ({ text, where = {} }) => {
    const near = places(where);
    if (near.length === 0) return nowhere(where);
    return near.some((e) => words(e).includes(tidy(text))) ? { yes: true } : { missing: `${JSON.stringify(text)} is not to be read there` };
  };

  // A label may stand for a field that is too small to be hit, and the browser's own file
  // button, unseen, for the words beneath it.
  const on = (e, hit) => hit?.type === "file" || e.contains(hit) || [...(e.labels ?? [])].some((label) => label.contains(hit));
  const stands = (e, hit) => on(e, hit) || hit?.contains(e);

  let before = "";
  let aim = null; // what is to be pressed
  let missed = false;
  let clicked = false;
  let down = null; // what the finger came down on

  // A page moves while news arrive. A press that would meet something else is held back,
  // as somebody would hold back their finger, and is tried again. So is one whose thing was
  // drawn anew, or moved away, between the finger's down and up: the browser then makes no click of it, or
  // one on what holds both places.
  const guard = (event) => {
    if (!aim || !event.isTrusted) return;
    if (event.type === "click") clicked ||= event.target === down || on(aim, event.target);
    if (event.type === "pointerdown" || event.type === "mousedown") missed = !stands(aim, (down = event.target));
    if (!missed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) addEventListener(kind, guard, true);

  /** pressed tells whether the press met what it was meant for. */
  const pressed = () => {
    const met = clicked && !missed;
    aim = down = null;
    missed = clicked = false;
    return met;
  };

  /** point is where a pointer meets the thing, once it is in view, at rest, and uncovered. */
  const point = (asked) => {
    const { e, missing } = asked.text ? said(asked) : find(asked);
    if (missing) return { missing };
    const at = body(e) ?? e;
    if (e.disabled || e.getAttribute("aria-disabled") === "true") return { missing: `${JSON.stringify(asked.name)} is disabled` };
    at.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = at.getBoundingClientRect();
    const now = JSON.stringify([asked, left, top, width, height]);
    const moving = now !== before;
    before = now;
    if (moving) return { missing: `${JSON.stringify(asked.name)} moves` };
    for (const [x, y] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.15], [0.5, 0.85]]) {
      const there = { x: left + width * x, y: top + height * y };
      if (!stands(e, document.elementFromPoint(there.x, there.y))) continue;
      aim = e;
      return there;
    }
    const cover = document.elementFromPoint(left + width / 2, top + height / 2);
    at.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" }); // from under what floats at an edge
    return { missing: `${JSON.stringify(asked.name)} is covered by ${JSON.stringify(words(cover).slice(0, 80))}` };
  };

  /** over is a point on the newest item that says the words. */
  const over = (said) => {
    const e = holding(said)[0];
    if (!e) return nowhere({ item: said });
    e.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
    for (const x of [left + 12, (left + right) / 2]) if (e.contains(document.elementFromPoint(x, y))) return { x, y };
    return { missing: `the item that says ${JSON.stringify(said)} is covered` };
  };

  /** has tells whether there is such a thing. */
  const has = (asked) => {
    const { missing, nowhere } = find(asked);
    return { missing, nowhere };
  };

  /** dialog is the title of what is on top; "" when that is the page. */
  const dialog = () => (layer() === page() ? "" : tidy(layer().computedName));

  /** choose takes an option of a select. */
  const choose = ({ name, option, where }) => {
    const { e, missing } = find({ roles: ["combobox", "listbox"], name, where });
    if (missing) return { missing };
    if (e.localName !== "select") return { typed: true };
    const there = [...e.options].filter((o) => !o.hidden);
    const wanted = there.find((o) => tidy(o.label) === tidy(option));
    if (!wanted) return { missing: `${JSON.stringify(name)} offers ${JSON.stringify(there.map((o) => tidy(o.label)))}` };
    e.focus();
    e.value = wanted.value;
    e.dispatchEvent(new Event("input", { bubbles: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
    return {};
  };

  /** value is what a field holds. */
  const value = ({ name, where }) => {
    const { e, missing } = find({ roles: ["textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton"], name, where });
    if (missing) return { missing };
    if (e.type === "checkbox" || e.type === "radio") return { value: String(e.checked) };
    return { value: e.localName === "select" ? tidy(e.selectedOptions[0]?.label) : e.value ?? e.innerText };
  };

  /** wrong is what a field is told to be wrong with it. */
  const wrong = ({ name }) => {
    const { e, missing } = find({ roles: ["textbox", "combobox", "button", "radio", "checkbox", "group", "radiogroup"], name });
    if (missing) return { missing };
    const about = (of) => (of?.getAttribute("aria-describedby") ?? "").split(" ").map((id) => words(document.getElementById(id))).join(" ");
    return { value: `${about(e)} ${about(e.closest("fieldset, [role=group], [role=radiogroup]"))}` };
  };

  /** screen is all that can be read now. */
  const screen = () => words(page());

  /** pictures are those in a place, and how wide they are: 0 has not been loaded. */
  const pictures = (where) =>
    (places(where).map((e) => [...e.querySelectorAll("img")]).find((all) => all.length > 0) ?? []).filter(shown).map((e) => {
      if (!e.complete) e.scrollIntoView({ block: "nearest", behavior: "instant" }); // it may be lazy
      return { alt: e.alt, width: e.complete ? e.naturalWidth : 0 };
    });

  const name = (e) => `<${e.localName} ${e.className && typeof e.className === "string" ? "." + e.className.trim().replace(/\s+/g, ".") : ""}> ${JSON.stringify(words(e).slice(0, 60))}`;

  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX);

  /** overflow is what sticks out of the window's sides, and what scrolls sideways. */
  const overflow = () => {
    const out = [];
    const width = document.documentElement.clientWidth;
    if (document.scrollingElement.scrollWidth > width) out.push(`the page is ${document.scrollingElement.scrollWidth} wide in a window of ${width}`);
    for (const e of document.body.querySelectorAll("*")) {
      if (!shown(e) || e.closest("svg") !== null && e.localName !== "svg") continue;
      const { left, right } = e.getBoundingClientRect();
      if (right > width + 1 || left < -1) {
        if (!sideways(e)) out.push(`${name(e)} reaches from ${Math.round(left)} to ${Math.round(right)} in a window of ${width}`);
      } else if (scrolls(e) && e.scrollWidth > e.clientWidth + 1 && !byDesign(e)) out.push(`${name(e)} scrolls sideways: ${e.scrollWidth} in ${e.clientWidth}`);
    }
    return out;
  };

  // Code and tabs may be longer than the window is wide, and so may tables and rows of cards.
  const byDesign = (e) => e.localName === "pre" || e.querySelector(":scope > table") || e.parentElement?.ariaRoleDescription === "carousel" || e.localName === "textarea" || e.localName === "input" || ["tablist", "table"].includes(e.computedRole);

  const sideways = (e) => {
    for (let up = e.parentElement; up; up = up.parentElement) if (scrolls(up) && byDesign(up)) return true;
    return false;
  };

  /** texts are the pieces of text in the parts of the page, by the part's name. */
  const texts = () => {
    const parts = {};
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const e = walk.currentNode.parentElement;
      const text = tidy(walk.currentNode.data);
      if (!text || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const box = document.createRange();
      box.selectNodeContents(walk.currentNode);
      if (![...box.getClientRects()].some(({ width, height }) => width > 1 && height > 1)) continue;
      const part = e.closest("[aria-modal=true], main, aside, nav");
      const key = part ? part.computedRole + " " + part.computedName : "page";
      (parts[key] ??= []).push(text);
    }
    return parts;
  };

  /** settled tells why the page does not look yet as it was asked to; "" when it does. */
  const settled = async (phone, dark) => {
    if (matchMedia("(max-width: 760px)").matches !== phone) return "it has another width";
    if (matchMedia("(prefers-color-scheme: dark)").matches !== dark) return "it has other colours";
    const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    const before = document.body.innerHTML;
    await frame();
    await frame();
    if (document.getAnimations().some((a) => a.playState === "running")) return "something moves";
    return document.body.innerHTML === before ? "" : "it changes";
  };

  /** covered tells what lies over a part of the page, dialog or not; "" when one sees all of it. */
  const covered = (name) => {
    const e = [...document.querySelectorAll("aside, main, nav, section")].find((one) => shown(one) && named(one, name));
    if (!e) return `there is no part called ${JSON.stringify(name)}`;
    const { left, top, right, bottom } = e.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) return `it reaches from ${top} to ${bottom}`;
    const over = [[left + 2, top + 2], [(left + right) / 2, (top + bottom) / 2], [right - 2, bottom - 2]].map(([x, y]) => document.elementFromPoint(x, y));
    return over.every((one) => e.contains(one)) ? "" : `over it is ${JSON.stringify(words(over.find((one) => !e.contains(one))).slice(0, 80))}`;
  };

  const focused = () => {
    const e = document.activeElement;
    return e && e !== document.body ? { role: e.computedRole, name: tidy(e.computedName), text: words(e), visible: e.matches(":focus-visible") } : { role: "", name: "" };
  };

  return { choose, covered, dialog, focused, has, over, overflow, pictures, point, pressed, reads, screen, settled, texts, value, wrong };
})();
