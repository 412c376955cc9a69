// One table from an element's type to what draws it.

import { html } from "/static/vendor/htm-preact.js";
import { Button } from "./button.js";
import { Choices } from "./choices.js";
import { ExternalSelect } from "./external_select.js";
import { FileInput } from "./file_input.js";
import { Overflow } from "./overflow.js";
import { Picture } from "./picture.js";
import { PlaceSelect, StaticSelect } from "./select.js";
import { TextInput } from "./text_input.js";
import { Unknown } from "./unknown.js";

const elements = {
  button: Button,
  overflow: Overflow,
  image: ({ element, look }) => html`<${Picture} of=${element} look=${look ?? "accessory"} />`,
  plain_text_input: TextInput,
  static_select: StaticSelect,
  multi_static_select: StaticSelect,
  external_select: ExternalSelect,
  users_select: PlaceSelect,
  channels_select: PlaceSelect,
  conversations_select: PlaceSelect,
  multi_users_select: PlaceSelect,
  multi_channels_select: PlaceSelect,
  multi_conversations_select: PlaceSelect,
  radio_buttons: Choices,
  checkboxes: Choices,
  file_input: FileInput,
};

/** Whether the label of an element names a group of boxes rather than one box. */
export const isGroup = (element) => element.type === "radio_buttons" || element.type === "checkboxes" || element.type.startsWith("multi_");

/** An element. Outside an input block nothing labels it but its own words. */
export function Element({ block, element, look, labelled }) {
  const Kind = elements[element.type] ?? Unknown;
  const beside = block.type === "section" && element.type.endsWith("select") && element.placeholder?.text === "Choose one" ? block.text?.text : "";
  const named = labelled ?? { "aria-label": beside?.replaceAll("*", "") || element.placeholder?.text || block.text?.text?.replaceAll("*", "") || "Choose" };
  return html`<${Kind} key=${element.action_id} block=${block} element=${element} look=${look} labelled=${named} />`;
}
