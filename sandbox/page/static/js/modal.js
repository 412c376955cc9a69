// A modal: the top view of the person's stack.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Blocks } from "./blocks/blocks.js";
import { draftsOf } from "./blocks/drafts.js";
import { useLayer } from "./blocks/layers.js";
import { useDrafts } from "./blocks/surface.js";

const fields = "input:not([disabled]), select, textarea";
const settling = 400; // ms the button stays busy for the snapshot that follows an answer

/** The open modal, or nothing. */
export function Modal({ view, depth, ...world }) {
  return view ? html`<${Dialog} view=${view} depth=${depth ?? 1} ...${world} />` : null;
}

function Dialog({ view, depth, ...world }) {
  const root = useRef(null);
  const body = useRef(null);
  const drafts = useDrafts(draftsOf({ view: view.id }));
  drafts.act = world.api.act;
  const [doing, run] = useDoing(view, drafts, world.api);
  useLayer(root, () => run("cancel"));
  useFirstFocus(root, body, view);
  useNextStep(root, body, view);
  useFirstError(body, view, doing);
  useLayoutEffect(() => {
    body.current.scrollTop = 0;
  }, [view.id]);
  const submit = (event) => {
    event.preventDefault();
    if (view.submit && drafts.coming === 0) run("submit");
  };
  const quick = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && view.submit) submit(event);
  };
  const busy = doing !== "";
  const said = view.notice || drafts.trouble;
  return html`
    <div class="bk-scrim">
      <form ref=${root} class="bk-modal" role="dialog" aria-modal="true" aria-labelledby="bk-modal-title" aria-busy=${busy} tabindex="-1" novalidate onSubmit=${submit} onKeyDown=${quick}>
        <header class="bk-modal__head">
          ${depth > 1 && html`<button type="button" class="bk-icon" aria-label="Back" onClick=${() => run("cancel")}><span aria-hidden="true">‹</span></button>`}
          <h2 id="bk-modal-title" class="bk-text" dir="auto">${view.title}</h2>
          <button type="button" class="bk-icon" aria-label="Close" onClick=${() => run("close")}><span aria-hidden="true">✕</span></button>
        </header>
        <div ref=${body} class="bk-modal__body" key=${view.id}>
          <${Blocks} blocks=${view.blocks} values=${view.values} errors=${view.errors} target=${{ view: view.id }} modal=${true} ...${world} />
        </div>
        ${said && html`<p class="bk-notice" role="alert">${said}</p>`}
        <footer class="bk-modal__foot">
          <button type="button" class="bk-button" onClick=${() => run("cancel")}>${view.close || (view.submit ? "Cancel" : "Close")}</button>
          ${view.submit &&
          html`<button type="submit" class="bk-button bk-button--primary" aria-busy=${doing === "submit"} aria-disabled=${busy || drafts.coming > 0}>
            <span class="bk-button__text">${view.submit}</span>
          </button>`}
        </footer>
      </form>
    </div>
  `;
}

/** Does one thing with the view at a time, after everything typed has arrived. */
function useDoing(view, drafts, api) {
  const [doing, setDoing] = useState("");
  const now = useRef("");
  const asking = useRef(false); // the answer is not there yet
  const end = () => {
    now.current = "";
    setDoing("");
  };
  const run = async (name) => {
    if (now.current === name || (now.current === "submit" && asking.current)) return;
    now.current = name;
    asking.current = true;
    setDoing(name);
    try {
      await drafts.flush();
      await api.act(name, {});
      asking.current = false;
      drafts.say("");
      setTimeout(() => now.current === name && end(), settling);
    } catch (err) {
      drafts.say(err.message);
      end();
    }
  };
  useEffect(end, [view.id]);
  return [doing, run];
}

/** The first field has the focus when a view appears, also when it was loading before. */
function useFirstFocus(root, body, view) {
  const asks = (view.blocks ?? []).some((block) => block.type === "input");
  useEffect(() => {
    const at = document.activeElement;
    const elsewhere = at && at !== root.current && at !== document.body && root.current.contains(at);
    if (elsewhere) return;
    const first = asks && !matchMedia("(pointer: coarse)").matches ? body.current.querySelector(fields) : null;
    (first ?? root.current).focus({ preventScroll: !first });
  }, [view.id, asks]);
}

/** A step that takes the place of another begins at its top, with its own first field. */
function useNextStep(root, body, view) {
  const first = view.blocks?.find((block) => block.type === "input")?.label?.text ?? "";
  const before = useRef(first);
  useEffect(() => {
    if (before.current === first) return;
    before.current = first;
    body.current.scrollTop = 0;
    if (body.current.contains(document.activeElement) || matchMedia("(pointer: coarse)").matches) return;
    (body.current.querySelector(fields) ?? root.current).focus({ preventScroll: true });
  }, [first]);
}

/** After a refusal the first field with an error has the focus. */
function useFirstError(body, view, doing) {
  const wrong = JSON.stringify(view.errors ?? {});
  const submitted = useRef(false);
  if (doing === "submit") submitted.current = true;
  useEffect(() => {
    const first = wrong !== "{}" && submitted.current && body.current.querySelector("[aria-invalid=true]");
    submitted.current = false;
    if (!first) return;
    first.focus();
    first.closest(".bk-input")?.scrollIntoView({ block: "nearest" });
  }, [wrong]);
}
