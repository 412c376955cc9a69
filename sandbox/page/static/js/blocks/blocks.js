// Block Kit: Slack's own JSON, drawn.

import { html } from "/static/vendor/htm-preact.js";
import { draftsOf } from "./drafts.js";
import { Input } from "./input.js";
import { ImageBlock } from "./picture.js";
import { Markdown, RichText } from "./rich_text.js";
import { Actions, Context, Divider, Header } from "./rows.js";
import { Section } from "./section.js";
import { Surface, useDrafts } from "./surface.js";
import { Unknown } from "./unknown.js";

const kinds = {
  actions: Actions,
  context: Context,
  divider: Divider,
  header: Header,
  image: ImageBlock,
  input: Input,
  markdown: Markdown,
  rich_text: RichText,
  section: Section,
};

/**
 * The blocks of a message or view.
 *
 * target is {channel, ts} of a message or {view}; values is what its elements
 * hold (held of a message, values of a view), errors what is wrong by block id.
 * api has act(name, body) and upload(files), both promises.
 */
export function Blocks({ blocks, values, errors, target, api, users, channels, me, modal = false }) {
  const drafts = useDrafts(draftsOf(target));
  drafts.act = api.act;
  return html`
    <${Surface.Provider} value=${{ values, errors, drafts, api, users, channels, me, modal, blocks: blocks ?? [] }}>
      <div class="bk">
        ${gathered(blocks ?? []).map((one) =>
          Array.isArray(one) ? html`<div class="bk-pictures" key=${one[0].block_id}>${one.map(draw)}</div>` : draw(one),
        )}
        ${!modal && drafts.trouble && html`<p class="bk-error" role="alert">${drafts.trouble}</p>`}
      </div>
    <//>
  `;
}

const draw = (block) => html`<${kinds[block.type] ?? Unknown} key=${block.block_id} block=${block} />`;

const pictured = (block) => block.type === "section" && block.accessory?.type === "image" && !block.fields;

/** Neighbouring sections with a picture stand together, so that they can be a grid. */
function gathered(blocks) {
  const all = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (pictured(block) && Array.isArray(last)) last.push(block);
    else all.push(pictured(block) ? [block] : block);
  }
  return all;
}
