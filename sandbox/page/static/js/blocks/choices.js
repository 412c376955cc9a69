import { html } from "/static/vendor/htm-preact.js";
import { Text } from "./text.js";
import { stateOf, valueIn } from "./state.js";
import { useField, useID } from "./surface.js";

const alike = (a, b) => a?.value === b?.value;

/** Radio buttons and checkboxes: every option in sight. */
export function Choices({ block, element, labelled }) {
  const field = useField(block, element);
  const name = useID();
  const many = element.type === "checkboxes";
  const held = valueIn(field.state);
  const chosen = many ? (held ?? []) : held ? [held] : [];
  const pick = (option, on) => {
    const next = many ? [...chosen.filter((other) => !alike(other, option)), ...(on ? [option] : [])] : option;
    field.choose(stateOf(element.type, next));
  };
  return html`
    <div class="bk-choices" role=${labelled["aria-label"] ? "group" : undefined} aria-label=${labelled["aria-label"]} aria-busy=${field.busy}>
      ${element.options.map(
        (option, i) => html`
          <label class="bk-choice" key=${option.value}>
            <input
              id=${i === 0 ? labelled.id : undefined}
              type=${many ? "checkbox" : "radio"}
              name=${name}
              checked=${chosen.some((other) => alike(other, option))}
              aria-invalid=${labelled["aria-invalid"]}
              aria-describedby=${labelled["aria-describedby"]}
              onChange=${(event) => pick(option, event.target.checked)}
            />
            <span class="bk-choice__words">
              <${Text} of=${option.text} />
              ${option.description && html`<small><${Text} of=${option.description} /></small>`}
            </span>
          </label>
        `,
      )}
    </div>
  `;
}

/** A select for many, as a list of boxes to tick. */
export function Checklist({ block, element, labelled, options }) {
  const field = useField(block, element);
  const held = valueIn(field.state) ?? [];
  const has = (value) => held.some((other) => (other?.value ?? other) === (value?.value ?? value));
  const pick = (value, on) =>
    field.choose(stateOf(element.type, [...held.filter((other) => (other?.value ?? other) !== (value?.value ?? value)), ...(on ? [value] : [])]));
  return html`
    <div class="bk-choices bk-choices--many" role="group" aria-label=${labelled["aria-label"]}>
      ${options.map(
        ({ words, value }, i) => html`
          <label class="bk-choice" key=${value?.value ?? value}>
            <input
              id=${i === 0 ? labelled.id : undefined}
              type="checkbox"
              checked=${has(value)}
              aria-invalid=${labelled["aria-invalid"]}
              aria-describedby=${labelled["aria-describedby"]}
              onChange=${(event) => pick(value, event.target.checked)}
            />
            <span class="bk-choice__words">${words}</span>
          </label>
        `,
      )}
    </div>
  `;
}
