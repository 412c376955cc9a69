// The middle column: a channel, its messages and the way to write in it.
import { html, useState, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { Composer } from "./composer.js";
import { Drop } from "./drop.js";
import { Icon } from "./icons.js";
import { MessageList } from "./messages.js";
import { go } from "./route.js";
import { tell } from "./store.js";
import { nameOf, useWorld } from "./world.js";

/** Place is a channel. */
export function Place({ snap, place }) {
  const { channel } = place;
  if (!channel) return html`<main class="place" data-region tabindex="-1" aria-label="Channel"><p class="missing">You are in no channel: be somebody else, at the bottom of the sidebar.</p></main>`;
  return html`<main class="place" data-region tabindex="-1" aria-label=${"#" + channel.name}>
    <header class="pane-head">
      <button type="button" class="icon-button only-phone" aria-label="Back" title="Back" onClick=${() => go({ channel: "", thread: "" })}><${Icon} name="back" /></button>
      <h2><span class="head-mark" aria-hidden="true">${channel.private ? html`<${Icon} name="lock" />` : "#"}</span>${channel.name}</h2>
      ${channel.private && html`<span class="sr">Private channel</span>`}
      <${Members} channel=${channel} />
    </header>
    <${Conversation} snap=${snap} place=${place} />
  </main>`;
}

function Members({ channel }) {
  const { users } = useWorld();
  const names = (channel.members || []).map((id) => users.find((u) => u.id === id)).filter(Boolean).map(nameOf).join(", ");
  return html`<span class="members" title=${names}><${Icon} name="people" />${channel.member_count}<span class="sr">${channel.member_count === 1 ? "member" : "members"}: ${names}</span></span>`;
}

/** Conversation is a list of messages over a composer. */
export function Conversation({ snap, place }) {
  const { team, api } = useWorld();
  const here = snap.channel === place.id;
  const fresh = useUnread(snap, place, api);
  const { channel } = place;
  const title = channel?.im ? channel.name : "#" + channel?.name;
  const attach = useRef(() => {});
  if (!channel) return null;
  const silent = channel.im && team.app.read_only;
  return html`<${Drop} title=${title} disabled=${silent || channel.archived} give=${(files) => attach.current(files)}>
    <${MessageList} label=${`Messages in ${title}`} messages=${here ? snap.messages : []} loading=${!here} more=${here && snap.more}
      fresh=${fresh} beginning=${html`<${Beginning} channel=${channel} />`} />
    ${silent ? html`<p class="composer-off">Sending messages to this app has been turned off.</p>`
      : channel.archived ? html`<p class="composer-off">This channel has been archived.</p>`
        : html`<${Composer} channel=${channel} label=${`Message ${title}`} attach=${attach} />`}
  <//>`;
}

function Beginning({ channel }) {
  const { team } = useWorld();
  if (channel.im) return html`<div class="beginning"><p>Here ${team.app.name} tells you what concerns only you.</p></div>`;
  return html`<div class="beginning">
    <h3>${channel.private ? html`<${Icon} name="lock" />` : "#"} ${channel.name}</h3>
    <p>This is the very beginning of the ${channel.private ? "private " : ""}channel. To order a message’s photos, choose <b>Order these photos</b> in its menu. For others, type <b>/order</b>.</p>
  </div>`;
}

// useUnread is the timestamp of the first message that was new when the person came (or
// came back to the window); what is seen is reported as read.
function useUnread(snap, place, api) {
  const [fresh, setFresh] = useState("");
  const arrived = useRef(false);
  const unread = snap.channel === place.id ? snap.channels.find((c) => c.id === place.id)?.unread || 0 : 0;
  useEffect(() => {
    const back = () => {
      if (document.hidden) arrived.current = false;
      else if (unread) api.act("read", { channel: place.id }).catch(tell);
    };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, [unread]);
  useEffect(() => {
    if (snap.channel !== place.id || document.hidden) return;
    if (!arrived.current && unread > 0) {
      const others = snap.messages.filter((m) => !m.mine && !m.ephemeral);
      setFresh(others[Math.max(0, others.length - unread)]?.ts || "");
    }
    arrived.current = true;
    if (unread > 0) api.act("read", { channel: place.id }).catch(tell);
  }, [unread, snap.channel]);
  return fresh;
}
