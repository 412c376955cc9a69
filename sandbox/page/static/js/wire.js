// The wire: every request between Slack, Darkroom and the service as it happens.

import { html, useEffect, useState } from "/static/vendor/htm-preact.js";
import { stream } from "./api.js";

const kept = 500;    // entries, as on the server
const atOnce = 150;  // rows drawn

/** The wire. */
export function Wire() {
  const [entries, setEntries] = useState([]);
  const [frozen, setFrozen] = useState(null);
  const [typed, setTyped] = useState("");
  useEffect(() => follow(setEntries), []);
  const all = frozen ?? entries;
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((e) => e.note || (!e.quiet && says(e, wanted)));
  const waiting = frozen ? entries.filter((e) => e.id > (frozen.at(-1)?.id ?? 0) && !e.quiet).length : 0;
  return html`
    <div class="dk wr">
      <div class="wr-filter">
        <label>Search <input type="search" value=${typed} placeholder="orders/create" onInput=${(e) => setTyped(e.target.value)} /></label>
        <button type="button" class="dk-button" aria-pressed=${frozen !== null} onClick=${() => setFrozen(frozen ? null : entries)}>${frozen ? (waiting ? `Go on (${waiting} new)` : "Go on") : "Pause"}</button>
      </div>
      ${!found.length && html`<p class="dk-empty">${all.length ? "Nothing of the kind so far." : "Nothing yet. Type /order in a channel."}</p>`}
      <ol class="wr-list" reversed>
        ${found.slice(-atOnce).reverse().map((e) => (e.note
          ? html`<li key=${e.id} class="wr-note">${e.says}</li>`
          : html`<${Exchange} key=${e.id} entry=${e} />`))}
      </ol>
      ${found.length > atOnce && html`<p class="dk-soft">The newest ${atOnce} of ${found.length}.</p>`}
    </div>
  `;
}

/** follow keeps the entries current, drawn at most once a frame. */
function follow(set) {
  let all = [];
  let frame = 0;
  const end = stream("/page/wire/stream", "wire", (entry) => {
    if (entry.id <= (all.at(-1)?.id ?? 0)) return;
    all = [...all.slice(1 - kept), entry];
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      set(all);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    end();
  };
}

function says(e, wanted) {
  if (!wanted.length) return true;
  const text = [e.says, e.path, e.request.body, e.response.body].join("\n").toLowerCase();
  return wanted.every((word) => text.includes(word));
}

function Exchange({ entry: e }) {
  const [open, setOpen] = useState(false);
  const [parties, what, end] = parts(e.says);
  return html`
    <li class=${`wr-item wr-item--${e.from}${e.failed ? " wr-item--failed" : ""}`}>
      <button type="button" class="wr-line" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        <span class="wr-parties">${parties}</span><span class="wr-what" dir="auto">${what}</span><span class="wr-end">${end}</span>
      </button>
      ${open && html`<div class="wr-open">
        <p class="dk-soft">${new Date(e.at).toLocaleTimeString([], { hour12: false })} · <code>${e.method} ${e.path}</code></p>
        <${Half} title="Request" half=${e.request} />
        <${Half} title=${e.status ? `Response ${e.status}` : "No response"} half=${e.response} />
      </div>`}
    </li>
  `;
}

/** parts are who, what and how it ended; a dot may stand in the middle. */
function parts(line) {
  const all = line.split(" · ");
  return [all[0], all.slice(1, -1).join(" · "), all.at(-1)];
}

function Half({ title, half }) {
  const headers = Object.entries(half.headers ?? {}).sort();
  return html`
    <section class="wr-half" aria-label=${title}>
      <h4>${title}</h4>
      ${headers.length > 0 && html`<details><summary>${headers.length} headers</summary><dl>${headers.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></details>`}
      ${half.body && html`<pre tabindex="0" aria-label=${`${title} body`}>${half.body}</pre>`}
      ${half.remark && html`<p class="dk-soft">${half.remark}</p>`}
      ${!half.body && !half.remark && html`<p class="dk-soft">No body.</p>`}
    </section>
  `;
}
