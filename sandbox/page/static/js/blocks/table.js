import { html } from "/static/vendor/htm-preact.js";
import { RichText } from "./rich_text.js";

/** A table, its first row the heads of its columns; one too wide scrolls by itself. */
export function Table({ block }) {
  const [heads, ...rows] = block.rows;
  const look = (i) => {
    const { align, is_wrapped: wrapped } = block.column_settings?.[i] ?? {};
    return `bk-cell bk-cell--${align ?? "left"}${wrapped ? " bk-cell--wrapped" : ""}`;
  };
  return html`<div class="bk-table" role="group" aria-label="Table" tabindex="0">
    <table>
      <thead><tr>${heads.map((cell, i) => html`<th key=${i} scope="col" class=${look(i)} dir="auto"><${Cell} of=${cell} /></th>`)}</tr></thead>
      <tbody>${rows.map((row, r) => html`<tr key=${r}>${row.map((cell, i) => html`<td key=${i} class=${look(i)} dir="auto"><${Cell} of=${cell} /></td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}

function Cell({ of }) {
  if (of?.type === "rich_text") return html`<${RichText} block=${of} />`;
  return html`<span class="bk-text">${of?.text || (of?.value ?? "")}</span>`;
}
