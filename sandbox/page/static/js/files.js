// Files in a message: pictures as they are, others as a chip.
import { html, useState } from "/static/vendor/htm-preact.js";
import { Icon } from "./icons.js";

const shown = /^image\/(jpeg|png|gif|webp|avif|svg\+xml)$/;

/** Files of a message. */
export function Files({ files }) {
  return html`<div class="files-room"><ul class="files" aria-label="Files">${files.map((file) => html`<li key=${file.id}><${File} file=${file} /></li>`)}</ul></div>`;
}

function File({ file }) {
  const [broken, setBroken] = useState(false);
  if (!shown.test(file.type) || broken) return html`<${Chip} file=${file} />`;
  return html`<a class="picture" href=${file.url} target="_blank" rel="noopener" title=${file.name}>
    <img src=${file.url} alt=${file.name} onError=${() => setBroken(true)} /><span class="picture-name" aria-hidden="true">${file.name}</span></a>`;
}

function Chip({ file }) {
  return html`<a class="chip" href=${file.url} target="_blank" rel="noopener"><span class="chip-mark"><${Icon} name="file" /></span>
    <span class="chip-words"><b>${file.name}</b><span>${kind(file)}</span></span></a>`;
}

/** kind is what a file is, as a person says it. */
export function kind(file) {
  const end = file.name.includes(".") ? file.name.split(".").pop().toUpperCase() : file.type;
  return file.size ? `${end} · ${bytes(file.size)}` : end;
}

const bytes = (n) => (n < 1000 ? `${n} B` : n < 1e6 ? `${Math.round(n / 1000)} kB` : `${(n / 1e6).toFixed(1)} MB`);
