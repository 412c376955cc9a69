// The tour: what to try, ticked off from what was seen.

import { html } from "/static/vendor/htm-preact.js";
import { post } from "./api.js";
import { go, phone } from "./route.js";
import { write } from "./store.js";
import { useDesk, useDoing } from "./feed.js";
import { useSamples } from "./samples.js";

/** The checklist. */
export function Tour() {
  const desk = useDesk();
  const samples = useSamples();
  const [, trouble, run] = useDoing();
  if (!desk) return html`<p class="dk-empty" role="status">One moment…</p>`;
  const { steps, dismissed } = desk.tour;
  const done = steps.filter((s) => s.done).length;
  const next = steps.find((s) => !s.done);
  const put = (away) => run("tour", () => post("/page/tour", { dismissed: away }));
  if (dismissed) {
    return html`<div class="dk"><p class="dk-soft">The tour is put away: ${done} of ${steps.length} seen.</p><button type="button" class="dk-button" onClick=${() => put(false)}>Take the tour</button></div>`;
  }
  return html`
    <div class="dk">
      <p class="tr-progress"><progress max=${steps.length} value=${done} aria-label="Steps seen"></progress> ${done} of ${steps.length}</p>
      <ol class="tr-steps">
        ${steps.map((s) => html`<${Step} key=${s.id} step=${s} next=${s === next} />`)}
      </ol>
      ${samples.length > 0 && html`<section class="tr-samples" aria-label="Sample photos">
        <h4>Sample photos</h4>
        <p class="dk-soft">Wherever files are attached, <strong>Sample photos</strong> offers these.</p>
        <ul>${samples.map((s) => html`<li key=${s.name}><img src=${s.url} alt=${s.says} loading="lazy" /><span>${s.name}</span></li>`)}</ul>
      </section>`}
      ${done === steps.length && html`<p class="tr-all" role="status">That is all of it. Thank you for looking.</p>`}
      <button type="button" class="dk-button" onClick=${() => put(true)}>Put the tour away</button>
      ${trouble && html`<p class="dk-trouble" role="alert">${trouble}</p>`}
    </div>
  `;
}

function Step({ step: s, next }) {
  return html`
    <li class=${s.done ? "tr-step tr-step--done" : "tr-step"} aria-current=${next ? "step" : undefined}>
      <span class="tr-tick" role="img" aria-label=${s.done ? "Done" : "To do"}>${s.done ? "✓" : ""}</span>
      <div>
        <p class="tr-title">${s.title}</p>
        ${!s.done && html`<p class="dk-soft">${s.how}</p>`}
        ${!s.done && s.go && html`<button type="button" class="dk-button dk-button--small" aria-label=${`Show me: ${s.title}`} onClick=${() => lead(s.go)}>Show me</button>`}
      </div>
    </li>
  `;
}

// lead goes where a step is done; what is to be typed there waits for Enter.
function lead({ type, ...to }) {
  go(route(to));
  if (type) write({ dictated: { channel: to.channel, text: type } });
}

/** route is where a step leads; a channel and the app's tabs exclude each other, and a phone shows one thing. */
function route(to) {
  return { ...(!to.pane && matchMedia(phone).matches && { pane: "" }), ...(to.channel && { app: "", thread: "" }), ...(to.app && { channel: "", thread: "" }), ...to };
}
