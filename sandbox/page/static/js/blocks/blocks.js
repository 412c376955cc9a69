// Block Kit: Slack's own JSON, drawn.

import { html } from "/static/vendor/htm-preact.js";
import { Alert } from "./alert.js";
import { Card } from "./card.js";
import { draftsOf } from "./drafts.js";
import { Input } from "./input.js";
import { Layout } from "./layout.js";
import { ImageBlock } from "./picture.js";
import { Actions, Context, Divider, Header } from "./rows.js";
import { Section } from "./section.js";
import { Surface, useDrafts } from "./surface.js";
import { Unknown } from "./unknown.js";

const kinds = {
  actions: Actions,
  alert: Alert,
  card: Card,
  context: Context,
  divider: Divider,
  header: Header,
  image: ImageBlock,
  input: Input,
  layout: Layout,
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
    <${Surface.Provider} value=${{ values, errors, drafts, api, users, channels, me, modal, blocks: blocks ?? [], drawAll }}>
      <div class="bk">
        ${drawAll(blocks ?? [])}
        ${!modal && drafts.trouble && html`<p class="bk-error" role="alert">${drafts.trouble}</p>`}
      </div>
    <//>
  `;
}

const drawAll = (blocks) => blocks.map(draw);

const draw = (block) => html`<${kinds[block.type] ?? Unknown} key=${block.block_id} block=${block} />`;
