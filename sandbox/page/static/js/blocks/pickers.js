import { html } from "/static/vendor/htm-preact.js";
import { stateOf, valueIn } from "./state.js";
import { useField } from "./surface.js";

const kinds = { datepicker: "date", timepicker: "time", datetimepicker: "datetime-local" };

const two = (n) => String(n).padStart(2, "0");

function local(seconds) {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** datepicker, timepicker and datetimepicker, as the browser's own. */
export function Picker({ block, element, labelled }) {
  const field = useField(block, element);
  const held = valueIn(field.state);
  const moment = element.type === "datetimepicker";
  const read = (text) => (!text ? null : moment ? Math.floor(new Date(text).getTime() / 1000) : text);
  return html`<input
    ...${labelled}
    class="bk-box bk-box--short"
    type=${kinds[element.type]}
    value=${held === undefined ? "" : moment ? local(held) : held}
    onChange=${(event) => field.choose(stateOf(element.type, read(event.target.value)))}
    onFocus=${field.focus}
    onBlur=${field.blur}
  />`;
}
