// Changing what one wrote.
import { html, useState, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { tell } from "./store.js";
import { useWorld } from "./world.js";

/** Editor takes the place of a message's text. */
export function Editor({ message, done }) {
  const { api } = useWorld();
  const [text, setText] = useState(message.typed || message.text);
  const field = useRef();
  useEffect(() => {
    field.current.focus();
    field.current.setSelectionRange(text.length, text.length);
  }, []);
  const save = async (e) => {
    e?.preventDefault();
    try {
      await api.act("edit", { channel: message.channel, ts: message.ts, text });
      done();
    } catch (error) {
      tell(error);
    }
  };
  const keys = (e) => {
    if (e.key === "Escape") {
      e.preventDefault();
      done();
    }
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) save(e);
  };
  return html`<form class="editor" onSubmit=${save}>
    <textarea ref=${field} aria-label="Edit message" rows=${Math.min(8, text.split("\n").length)} value=${text} onInput=${(e) => setText(e.target.value)} onKeyDown=${keys}></textarea>
    <p><button type="button" class="button" onClick=${done}>Cancel</button> <button type="submit" class="button primary">Save</button></p>
  </form>`;
}
