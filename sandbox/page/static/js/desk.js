// The photo editor's desk: the service's orders, with what the editor can do now.

import { html, useState } from "/static/vendor/htm-preact.js";
import { post } from "./api.js";
import { useDesk, useDoing } from "./feed.js";

const over = ["closed", "canceled"];
const atOnce = 20; // orders shown

const words = {
  editing: "In progress", revising: "Revising", paused: "Paused", reviewing: "With the client", closed: "Closed", canceled: "Canceled",
};

/** The editor's desk. */
export function Desk() {
  const desk = useDesk();
  if (!desk) return html`<p class="dk-empty" role="status">One moment…</p>`;
  return html`
    <div class="dk">
      <${Account} desk=${desk} />
      ${desk.faults.service_down && html`<p class="dk-warn" role="status">The service is switched off: Darkroom cannot reach it. You still can.</p>`}
      ${!desk.orders.length && html`<p class="dk-empty">No order yet. Type /order in a channel.</p>`}
      ${desk.orders.slice(0, atOnce).map((o) => html`<${Order} key=${o.id} order=${o} automatic=${desk.automatic} />`)}
      ${desk.orders.length > atOnce && html`<p class="dk-soft">The newest ${atOnce} of ${desk.orders.length} orders.</p>`}
    </div>
  `;
}

function counted(n, noun) {
  return `${n} ${noun}${Number(n) === 1 ? "" : "s"}`;
}

/** What the client has, whether the editor works by himself, and what can be broken. */
function Account({ desk }) {
  const [, trouble, run] = useDoing();
  const fault = (name, label) => html`<${Switch} label=${label} on=${desk.faults[name]} set=${(on) => run(name, () => post("/page/faults", { [name]: on }))} />`;
  return html`
    <section class="dk-account" aria-label="Service">
      <p class="dk-credits"><strong>${desk.credits}</strong> credits</p>
      <${Switch} label="Automatic editor" on=${desk.automatic} set=${(on) => run("automatic", () => post("/page/desk/automatic", { on }))} />
      ${fault("service_down", "Service down")}
      ${fault("lose_next", "Lose the next answer")}
      ${desk.faults.lose_next && html`<p class="dk-warn" role="status">Waiting for the next write: it is carried out, and its answer lost.</p>`}
      ${trouble && html`<p class="dk-trouble" role="alert">${trouble}</p>`}
    </section>
  `;
}

/** A switch with its label. */
function Switch({ label, on, set }) {
  return html`
    <label class="dk-switch">
      <input type="checkbox" role="switch" checked=${on} onClick=${(e) => { e.preventDefault(); set(!on); }} />
      <span class="dk-switch__track" aria-hidden="true"></span>
      <span>${label}</span>
    </label>
  `;
}

function Order({ order: o, automatic }) {
  const done = over.includes(o.status);
  const [open, setOpen] = useState(!done);
  return html`
    <article class="dk-order" aria-label=${`Order ${o.project}`}>
      <header class="dk-order__head">
        <button type="button" class="dk-order__title" aria-expanded=${open} onClick=${() => setOpen(!open)}>
          <span class="dk-caret" aria-hidden="true"></span><span dir="auto">${o.project}</span>
        </button>
        <span class=${`dk-status dk-status--${o.status}`}>${words[o.status] ?? o.status}</span>
      </header>
      <p class="dk-soft dk-order__facts">
        <code>${o.id}</code> · ${counted(o.images.length, "image")} · ${counted(o.price, "credit")} · ${when(o.ordered_at)}
        ${o.revision > 0 && ` · revision ${o.revision}`}${o.customer && ` · customer ${o.customer}`}
      </p>
      ${open && html`<${Sheet} order=${o} />`}
      <${Doings} order=${o} automatic=${automatic} />
    </article>
  `;
}

/** Everything the order says. */
function Sheet({ order: o }) {
  return html`
    ${o.instructions.length > 0 && html`<ul class="dk-wishes">${o.instructions.map((line, i) => html`<li key=${i} dir="auto">${line}</li>`)}</ul>`}
    <ol class="dk-pictures">
      ${o.images.map((image, i) => html`<${Pair} key=${i} n=${i + 1} image=${image} edit=${o.edited.find((e) => e.source === i)} />`)}
    </ol>
    ${o.references.length > 0 && html`<${References} all=${o.references} />`}
    ${o.revisions.map((round, i) => html`
      <section class="dk-round" key=${i} aria-label=${`Changes requested, round ${i + 1}`}>
        <h4>Changes requested · round ${i + 1}</h4>
        <ul>${round.map((one) => html`<li key=${one.name} dir="auto"><strong>${one.name}</strong> ${one.wants.join(" ")}</li>`)}</ul>
      </section>`)}
    ${o.messages?.length > 0 && html`<${Talk} all=${o.messages} />`}
    ${o.feedback?.length > 0 && html`<p class="dk-last" dir="auto"><strong>Feedback</strong> ${o.feedback.join(" ")}</p>`}
    ${o.cancel_reason?.length > 0 && html`<p class="dk-last" dir="auto"><strong>Reason</strong> ${o.cancel_reason.join(" ")}</p>`}
  `;
}

/** One image before and after. */
function Pair({ n, image, edit }) {
  return html`
    <li class="dk-pair">
      <p class="dk-pair__name"><span dir="auto">${n} · ${image.name}</span> <span class="dk-service">${image.service}</span></p>
      ${image.instruction && html`<p class="dk-pair__wish" dir="auto">${image.instruction}</p>`}
      <div class="dk-pair__pictures">
        <${Picture} src=${image.picture} alt=${`${image.name} before`} caption="Before" />
        ${edit
          ? html`<${Picture} src=${edit.thumb} full=${edit.origin} alt=${`${edit.name} after`} caption=${edit.revision ? `After · revision ${edit.revision}` : "After"} />`
          : html`<p class="dk-waiting">Not edited yet</p>`}
      </div>
    </li>
  `;
}

/** A picture; a click opens it as large as it is. */
function Picture({ src, full = src, alt, caption }) {
  const [broken, setBroken] = useState(false);
  return html`<a class="dk-picture" href=${full} target="_blank" rel="noopener">
    ${broken ? html`<span class="dk-picture__none">No preview</span>` : html`<img src=${src} alt=${alt} loading="lazy" onError=${() => setBroken(true)} />`}
    <span class="dk-picture__caption" dir="auto">${caption}</span></a>`;
}

function References({ all }) {
  return html`
    <section class="dk-references" aria-label="References">
      <h4>References</h4>
      <ul>${all.map((one, i) => html`
        <li key=${i}>
          <${Picture} src=${one.picture} alt=${`Reference ${one.name}`} caption=${one.name} />
          ${one.instruction && html`<span class="dk-soft" dir="auto">${one.instruction}</span>`}
        </li>`)}
      </ul>
    </section>
  `;
}

function Talk({ all }) {
  return html`
    <section class="dk-talk" aria-label="Conversation">
      <h4>Conversation</h4>
      ${all.map((one, i) => html`
        <div key=${i} class=${one.from === "client" ? "dk-said" : "dk-said dk-said--ours"}>
          <span class="dk-soft">${one.from === "client" ? "Client" : "Editor"} · ${when(one.at)}</span>
          <p dir="auto">${one.content}</p>
        </div>`)}
    </section>
  `;
}

const acts = [["deliver", "Deliver"], ["pause", "Pause"], ["resume", "Resume"]];

/** What the editor can do with the order now. */
function Doings({ order: o, automatic }) {
  const [text, setText] = useState("");
  const [writing, setWriting] = useState(false);
  const [busy, trouble, run] = useDoing();
  const say = async (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    if (await run("say", () => post("/page/desk/say", { order: o.id, text }))) {
      setText("");
      setWriting(false);
    }
  };
  if (!o.can.length && !trouble) return null;
  const field = `dk-say-${o.id}`;
  return html`
    <div class="dk-doings">
      ${acts.filter(([act]) => o.can.includes(act)).map(([act, label]) => html`
        <button key=${act} type="button" class=${act === "deliver" ? "dk-button dk-button--primary" : "dk-button"} disabled=${busy !== ""} aria-busy=${busy === act}
          onClick=${() => run(act, () => post(`/page/desk/${act}`, { order: o.id }))}>${act === "deliver" && automatic ? "Deliver now" : label}</button>`)}
      ${o.can.includes("say") && !writing && html`<button type="button" class="dk-button" onClick=${() => setWriting(true)}>Write to the client</button>`}
    </div>
    ${o.can.includes("say") && writing && html`
      <form class="dk-say" onSubmit=${say}>
        <label for=${field}>To the client</label>
        <textarea id=${field} rows="2" maxlength="5000" dir="auto" aria-describedby=${`${field}-hint`} value=${text} ref=${focusOnce}
          onInput=${(e) => setText(e.target.value)} onKeyDown=${(e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && say(e)}></textarea>
        <p class="dk-soft" id=${`${field}-hint`}>The service hands it over with its answer to the client's next message.</p>
        <div class="dk-doings">
          <button type="submit" class="dk-button dk-button--primary" disabled=${!text.trim() || busy !== ""}>Say</button>
          <button type="button" class="dk-button" onClick=${() => setWriting(false)}>Cancel</button>
        </div>
      </form>`}
    ${trouble && html`<p class="dk-trouble" role="alert">${trouble}</p>`}
  `;
}

function focusOnce(field) {
  if (!field || field.dataset.seen) return;
  field.dataset.seen = "yes";
  field.focus();
}

/** when is a moment today as a time, else as a day. */
function when(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], today ? { hour: "2-digit", minute: "2-digit" } : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}
