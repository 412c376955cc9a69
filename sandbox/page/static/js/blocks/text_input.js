import { html } from "/static/vendor/htm-preact.js";
import { typing } from "./drafts.js";
import { stateOf, valueIn } from "./state.js";
import { useField, useID } from "./surface.js";

const slacksMost = 3000; // characters, when the element does not say

/** A box to type into: plain_text_input. Nothing is cut off: too much is counted and refused. */
export function TextInput({ block, element, labelled }) {
  const field = useField(block, element);
  const counting = useID();
  const text = valueIn(field.state) ?? "";
  const most = element.max_length ?? slacksMost;
  const left = most - [...text].length;
  const counted = left <= Math.max(10, Math.min(200, most / 5)) && most > 1;
  const onEnter = sendsOnEnterOnly(block, element);
  const props = {
    ...labelled,
    class: "bk-box",
    dir: "auto",
    value: text,
    placeholder: element.placeholder?.text,
    "aria-describedby": [labelled["aria-describedby"], counted && counting].filter(Boolean).join(" ") || undefined,
    onInput: (event) => field.type(stateOf(element.type, event.target.value), onEnter ? Infinity : typing),
    onFocus: field.focus,
    onBlur: field.blur,
  };
  const enter = (event) => {
    if (event.key !== "Enter" || event.isComposing || !onEnter) return;
    event.preventDefault();
    field.send();
  };
  return html`
    ${element.multiline
      ? html`<textarea ...${props} rows="3"></textarea>`
      : html`<input ...${props} type="text" autocomplete="off" onKeyDown=${enter} />`}
    ${counted && html`<p id=${counting} class=${`bk-count${left < 0 ? " bk-count--over" : ""}`}>${counter(left)}</p>`}
  `;
}

const counter = (left) =>
  left < 0 ? `${(-left).toLocaleString("en")} too many` : `${left.toLocaleString("en")} ${left === 1 ? "character" : "characters"} left`;

// Without a config, an input that dispatches does so on Enter.
function sendsOnEnterOnly(block, element) {
  const on = element.dispatch_action_config?.trigger_actions_on;
  return Boolean(block.dispatch_action) && !element.multiline && !on?.includes("on_character_entered");
}
