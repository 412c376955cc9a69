// Sample photos for whoever has none at hand. Anything that takes files offers them:
//   <${SamplePhotos} onFiles=${(files) => …} />   // [File], as from an <input type="file">

import { html, useEffect, useState } from "/static/vendor/htm-preact.js";
import { get } from "./api.js";

let listed = null;

/** samples lists them: [{name, says, url, type, size}]. */
export function samples() {
  listed ??= get("/page/samples").then((reply) => reply.files).catch(() => {
    listed = null;
    return [];
  });
  return listed;
}

/** sampleFile is one of them as a File. */
export async function sampleFile(sample) {
  const response = await fetch(sample.url);
  if (!response.ok) throw new Error(`${sample.name} could not be fetched.`);
  return new File([await response.blob()], sample.name, { type: sample.type });
}

/** useSamples are the samples once they are known. */
export function useSamples() {
  const [all, setAll] = useState([]);
  useEffect(() => {
    let here = true;
    samples().then((found) => here && setAll(found));
    return () => { here = false; };
  }, []);
  return all;
}

/** A button that offers the sample photos; a click on one hands it over. */
export function SamplePhotos({ onFiles, onTrouble = () => {}, disabled = false }) {
  const all = useSamples();
  const [open, setOpen] = useState(false);
  const [taken, setTaken] = useState([]);
  if (!all.length) return null;
  const take = async (sample) => {
    try {
      onFiles([await sampleFile(sample)]);
      setTaken((names) => [...names, sample.name]);
    } catch (err) {
      onTrouble(err);
    }
  };
  return html`
    <div class="sp">
      <button type="button" class="dk-button dk-button--small" aria-expanded=${open} disabled=${disabled} onClick=${() => setOpen(!open)}>Sample photos</button>
      ${open && html`<ul class="sp-list" aria-label="Sample photos">
        ${all.map((s) => html`<li key=${s.name}>
          <button type="button" class="sp-photo" title=${s.says} aria-label=${`Attach ${s.name}`} disabled=${disabled} onClick=${() => take(s)}>
            <img src=${s.url} alt="" /><span>${taken.includes(s.name) ? `✓ ${s.name}` : s.name}</span>
          </button>
        </li>`)}
      </ul>`}
    </div>
  `;
}
