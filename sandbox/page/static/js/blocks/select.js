import { html } from "/static/vendor/htm-preact.js";
import { Checklist } from "./choices.js";
import { ask } from "./confirm.js";
import { stateOf, valueIn } from "./state.js";
import { useField, useSurface } from "./surface.js";

const valueOf = (held) => (typeof held === "object" && held ? held.value : held);

/** A select with all its options at hand, as the browser's own. */
function Select({ block, element, labelled, groups }) {
  const field = useField(block, element);
  const surface = useSurface();
  const held = valueOf(valueIn(field.state)) ?? "";
  const all = groups.flatMap((group) => group.options);
  const known = all.some(({ value }) => valueOf(value) === held);
  const choose = async (event) => {
    const box = event.target;
    const option = all.find(({ value }) => valueOf(value) === box.value);
    if (element.confirm && !(await ask(element.confirm, surface))) {
      box.value = held;
      return;
    }
    field.choose(stateOf(element.type, option ? option.value : null));
  };
  const row = ({ words, value }) => html`<option key=${valueOf(value)} value=${valueOf(value)} selected=${valueOf(value) === held}>${words}</option>`;
  const nothing = html`<option key="" value="" selected=${held === ""} disabled=${!block.optional} hidden=${!block.optional}>
    ${element.placeholder?.text ?? "Choose an option"}
  </option>`;
  return html`
    <span class="bk-select" aria-busy=${field.busy}>
      <select ...${labelled} class=${`bk-box${held === "" ? " bk-box--empty" : ""}`} value=${held} onChange=${choose} onFocus=${field.focus} onBlur=${field.blur}>
        ${nothing} ${held !== "" && !known && html`<option key=${held} value=${held} selected>${held}</option>`}
        ${groups.map((group) => (group.label ? html`<optgroup key=${group.label} label=${group.label}>${group.options.map(row)}</optgroup>` : group.options.map(row)))}
      </select>
    </span>
  `;
}

const rows = (options) => (options ?? []).map((option) => ({ words: option.text.text, value: option }));

/** static_select and multi_static_select. */
export function StaticSelect(props) {
  const { element } = props;
  const groups = element.option_groups
    ? element.option_groups.map((group) => ({ label: group.label.text, options: rows(group.options) }))
    : [{ options: rows(element.options) }];
  return several(props, groups);
}

/** users_select, channels_select and conversations_select, and those for many. */
export function PlaceSelect(props) {
  const { users, channels, me } = useSurface();
  const kind = props.element.type;
  const options = kind.includes("users_")
    ? people(users).map((user) => ({ words: `@${user.real_name || user.name}`, value: user.id }))
    : places(channels, props.element).map((place) => ({ words: place.im ? placeName(place, users, me) : `#${place.name}`, value: place.id }));
  return several(props, [{ options }]);
}

const several = (props, groups) =>
  props.element.type.startsWith("multi_")
    ? html`<${Checklist} ...${props} options=${groups.flatMap((group) => group.options)} />`
    : html`<${Select} ...${props} groups=${groups} />`;

const listed = (all) => (Array.isArray(all) ? all : all instanceof Map ? [...all.values()] : Object.values(all ?? {}));

const people = (users) => listed(users).filter((user) => !user.bot);

function places(channels, element) {
  const include = element.filter?.include;
  return listed(channels).filter((place) => {
    const kind = place.im ? "im" : place.private ? "private" : "public";
    if (place.archived || (place.im && element.filter?.exclude_bot_users)) return false;
    return element.type.includes("channels_") ? kind === "public" : !include || include.includes(kind);
  });
}

function placeName(place, users) {
  const user = listed(users).find((other) => other.id === place.user);
  return `@${user?.real_name ?? place.name}`;
}
