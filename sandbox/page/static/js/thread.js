// A thread, beside its channel.
import { html, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { Composer } from "./composer.js";
import { Drop } from "./drop.js";
import { Icon } from "./icons.js";
import { MessageList } from "./messages.js";
import { go, phone, useMedia } from "./route.js";
import { useWorld } from "./world.js";

/** Thread shows a message and its replies. */
export function Thread({ snap, place, ts }) {
  const { team } = useWorld();
  const { channel } = place;
  const here = snap.thread === ts && snap.channel === place.id;
  const pane = useRef();
  const attach = useRef(() => {});
  const shut = () => go({ thread: "" });
  // On a phone a field with the focus brings up the keyboard, and a thread is there to be read first.
  useEffect(() => ((!matchMedia("(pointer: coarse)").matches && pane.current.querySelector("textarea")) || pane.current).focus({ preventScroll: true }), []);
  const where = channel?.im ? channel.name : "#" + (channel?.name || "");
  const silent = channel?.im && team.app.read_only;
  return html`<section class="thread" role=${useMedia(phone) ? "main" : "complementary"} aria-label="Thread" data-region tabindex="-1" ref=${pane}>
    <header class="pane-head">
      <button type="button" class="icon-button only-phone" aria-label="Back" title="Back" onClick=${shut}><${Icon} name="back" /></button>
      <h2>Thread</h2><span class="head-note">${where}</span>
      <button type="button" class="icon-button not-phone" aria-label="Close the thread" title="Close" onClick=${shut}><${Icon} name="close" /></button>
    </header>
    <${Drop} title="this thread" disabled=${silent} give=${(files) => attach.current(files)}>
      ${here && snap.replies.length === 0
        ? html`<p class="missing">This thread is not there any more.</p>`
        : html`<${MessageList} label="Replies" messages=${here ? snap.replies : []} loading=${!here} thread=${true} />`}
      ${channel && !silent && !channel.archived && html`<${Composer} channel=${channel} thread=${ts} label="Reply…" attach=${attach} />`}
    <//>
  </section>`;
}
