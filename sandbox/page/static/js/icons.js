// Line icons of our own, 20 × 20, in the colour of the text beside them.
import { html } from "/static/vendor/htm-preact.js";

const paths = {
  lock: "M6 9V7a4 4 0 0 1 8 0v2M5 9h10v7H5z",
  close: "M5 5l10 10M15 5L5 15",
  back: "M12 4l-6 6 6 6",
  down: "M5 8l5 5 5-5",
  send: "M3 10l14-6-5 13-3-5z M9 12l8-8",
  attach: "M14.5 9.5l-5 5a3 3 0 0 1-4.3-4.3l6-6a2 2 0 0 1 2.9 2.9l-6 6a1 1 0 0 1-1.4-1.4L12 6.5",
  bolt: "M11 2L4 11h5l-1 7 7-9h-5z",
  reply: "M4 5h12v8H9l-4 3v-3H4z",
  more: "M4.500 10h.01M10 10h.01M15.500 10h.01",
  desk: "M3 4h14v9H3zM7 16h6M10 13v3M6 10l2.500-3 2 2 1.500-1.500 2.500 2.500",
  keys: "M2.500 5.500h15v9h-15zM5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01M6.500 11.500h7",
  tour: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12.800 7.200l-1.600 4-4 1.600 1.600-4z",
  home: "M3 9.500L10 4l7 5.500V16H3zM8 16v-4h4v4",
  eye: "M2 10c3-6 13-6 16 0-3 6-13 6-16 0zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  file: "M5 3h6l4 4v10H5zM11 3v4h4",
  people: "M7.500 4.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM2.500 16c0-3 2-4.500 5-4.500s5 1.500 5 4.500M13 5a2.500 2.500 0 0 1 0 4.500M14 12c2.200.400 3.500 1.700 3.500 4",
};

/** Icon draws one of them; the button around it has the words. */
export function Icon({ name }) {
  return html`<svg class=${"icon icon-" + name} viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=${paths[name]} /></svg>`;
}
