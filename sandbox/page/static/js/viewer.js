// Pictures on the desk: small ones that open, and a large one with a slider
// between before and after.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";

/** A small picture that opens; a format no browser shows says so. */
export function Picture({ src, alt, caption, onClick }) {
  const [broken, setBroken] = useState(false);
  return html`
    <button type="button" class="dk-picture" aria-label=${`${alt}: larger`} onClick=${onClick} disabled=${broken}>
      ${broken
        ? html`<span class="dk-picture__none">No preview for this kind of file</span>`
        : html`<img src=${src} alt=${alt} loading="lazy" onError=${() => setBroken(true)} />`}
      <span class="dk-picture__caption">${caption}</span>
    </button>
  `;
}

/** The picture, large; both when there is an edit, with a slider between them. */
export function Viewer({ name, before, after, onClose }) {
  const dialog = useRef(null);
  const [at, setAt] = useState(50);
  useEffect(() => {
    const here = dialog.current;
    here.showModal();
    return () => here.close();
  }, []);
  return html`
    <dialog ref=${dialog} class="dk-viewer" aria-label=${name} onClose=${onClose} onClick=${(e) => e.target === dialog.current && onClose()}>
      <header><h3 dir="auto">${name}</h3><button type="button" class="dk-button dk-button--square" aria-label="Close" onClick=${onClose}><span aria-hidden="true">✕</span></button></header>
      <div class="dk-viewer__stage">
        <img src=${after ?? before} alt=${after ? `${name} after` : name} />
        ${after && html`<img class="dk-viewer__before" src=${before} alt=${`${name} before`} style=${{ clipPath: `inset(0 ${100 - at}% 0 0)` }} />
          <span class="dk-viewer__line" style=${{ left: `${at}%` }} aria-hidden="true"></span>`}
      </div>
      ${after && html`<label class="dk-viewer__slide"><span>Before</span><input type="range" min="0" max="100" value=${at} aria-label="Before and after" onInput=${(e) => setAt(e.target.value)} /><span>After</span></label>`}
    </dialog>
  `;
}
