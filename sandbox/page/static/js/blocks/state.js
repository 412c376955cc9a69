// The state of an element as it travels on Slack's wire: {type, <key>: value}.

const keys = {
  static_select: "selected_option",
  external_select: "selected_option",
  radio_buttons: "selected_option",
  overflow: "selected_option",
  multi_static_select: "selected_options",
  multi_external_select: "selected_options",
  checkboxes: "selected_options",
  file_input: "files",
  users_select: "selected_user",
  channels_select: "selected_channel",
  conversations_select: "selected_conversation",
  multi_users_select: "selected_users",
  multi_channels_select: "selected_channels",
  multi_conversations_select: "selected_conversations",
};

const keyOf = (kind) => keys[kind] ?? "value";

/** The state of an element of the kind that holds the value; empty text is null. */
export const stateOf = (kind, value) => ({ type: kind, [keyOf(kind)]: value === "" ? null : value });

/** The value a state holds, or undefined when it holds none. */
export const valueIn = (state) => (state ? (state[keyOf(state.type)] ?? undefined) : undefined);

/** The state of an element before anybody touched it. */
export function initialState(element) {
  const key = keyOf(element.type);
  const initial = key === "value" ? "initial_value" : key.replace(/^selected_|^/, "initial_");
  const many = element.type.startsWith("multi_") || element.type === "checkboxes" || element.type === "file_input";
  return { type: element.type, [key]: element[initial] ?? (many ? [] : null) };
}

/** Whether two JSON values are the same, whatever the order of their members. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
}
