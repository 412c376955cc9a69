// A pane that takes files dropped anywhere on it.
import { html, useState, useRef } from "/static/vendor/htm-preact.js";

const carriesFiles = (e) => [...(e.dataTransfer?.types || [])].includes("Files");

/** Drop wraps a pane; give gets the files. */
export function Drop({ title, disabled, give, children }) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // children are entered and left as well
  const turn = (by) => (e) => {
    if (disabled || !carriesFiles(e)) return;
    e.preventDefault();
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const drop = (e) => {
    if (disabled || !carriesFiles(e)) return;
    e.preventDefault();
    depth.current = 0;
    setOver(false);
    give([...e.dataTransfer.files]);
  };
  return html`<div class="drop" onDragEnter=${turn(1)} onDragLeave=${turn(-1)} onDragOver=${turn(0)} onDrop=${drop}>
    ${children}
    ${over && html`<div class="drop-veil" aria-hidden="true"><span>Drop files to add them to ${title}</span></div>`}
  </div>`;
}
