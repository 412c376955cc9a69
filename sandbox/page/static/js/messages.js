// A list of messages: days, groups, what is new, and where one has scrolled to.
import { html, useState, useEffect, useLayoutEffect, useRef } from "/static/vendor/htm-preact.js";
import { dayKey, dayName, when } from "./dates.js";
import { Icon } from "./icons.js";
import { Message, count } from "./message.js";
import { useOneStopEach, walk } from "./walk.js";

const together = 5 * 60; // seconds in which one person's messages are one group
const near = 80;         // pixels from the end that still count as the end

/** MessageList draws messages, oldest first, and stays at the newest while one is there. */
export function MessageList({ label, messages, loading, more, fresh = "", beginning = null, thread = false }) {
  const scroll = useScroll(messages);
  const list = useRef();
  useOneStopEach(list);
  return html`<div class="messages-frame">
    <div class="messages" ref=${scroll.box} onScroll=${scroll.look}>
      <div class="messages-inner" ref=${scroll.inner}>
        ${more && html`<p class="missing">Older messages are not shown here.</p>`}
        ${!more && !loading && beginning}
        ${"" /* flatMap: each item is a sibling with a key, and keeps its state when others come before it */}
        <ul class="message-list" aria-label=${label} aria-describedby="message-keys" ref=${list} onKeyDown=${walk}>
          ${messages.flatMap((m, i) => html`
            ${newDay(messages, i) && !thread && html`<li class="day" key=${"day" + m.ts}><span>${dayName(when(m.ts))}</span></li>`}
            ${m.ts === fresh && html`<li class="fresh" key="fresh"><span>New</span></li>`}
            <${Message} key=${(m.ephemeral ? "e" : "m") + m.ts} message=${m} grouped=${grouped(messages, i) && m.ts !== fresh} thread=${thread}
              origin=${m.broadcast && messages.find((other) => other.ts === m.thread_ts)} />
            ${thread && i === 0 && html`<li class="thread-count" key="count"><span>${count(messages.length - 1)}</span></li>`}`)}
        </ul>
      </div>
    </div>
    ${!scroll.atEnd && html`<button type="button" class="jump" onClick=${scroll.toEnd}><${Icon} name="down" />${scroll.missed > 0 ? `${scroll.missed} new` : "Jump to newest"}</button>`}
  </div>`;
}

const newDay = (all, i) => i === 0 || dayKey(when(all[i].ts)) !== dayKey(when(all[i - 1].ts));

// grouped messages of one person go without a second name.
function grouped(all, i) {
  const m = all[i];
  const before = all[i - 1];
  return Boolean(before) && !newDay(all, i) && before.user === m.user && before.app === m.app && m.ts - before.ts < together &&
    !m.ephemeral && !before.ephemeral && !m.broadcast && !before.broadcast && ![m, before].some(({ subtype }) => ["tombstone", "channel_join"].includes(subtype)) && !before.replies;
}

// useScroll stays at the end while one is there, whatever arrives or grows, and stays with
// what one reads when older messages are put above it.
function useScroll(messages) {
  const box = useRef();
  const inner = useRef();
  const stick = useRef(true);
  const height = useRef(0);
  const top = useRef(0);
  const width = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const [seen, setSeen] = useState("");
  const first = messages[0]?.ts;
  const last = messages.at(-1)?.ts || "";
  const look = () => {
    const { scrollHeight, scrollTop, clientHeight, clientWidth } = box.current;
    const end = scrollHeight - scrollTop - clientHeight < near;
    // A scroll event may come after a picture has grown the list, or after a phone was turned:
    // only going up leaves the end.
    if (end || (scrollTop < top.current && clientWidth === width.current)) stick.current = end;
    top.current = scrollTop;
    width.current = clientWidth;
    height.current = scrollHeight;
    setAtEnd(stick.current);
  };
  const toEnd = () => {
    stick.current = true;
    box.current.scrollTop = box.current.scrollHeight;
    top.current = box.current.scrollTop;
    setAtEnd(true);
  };
  useLayoutEffect(() => {
    if (stick.current) toEnd();
    else if (height.current) box.current.scrollTop += box.current.scrollHeight - height.current;
    height.current = box.current.scrollHeight;
  }, [first]);
  useLayoutEffect(() => {
    if (stick.current || messages.at(-1)?.mine) toEnd();
    height.current = box.current.scrollHeight;
  }, [last, messages.length]);
  useEffect(() => {
    const grown = new ResizeObserver(() => stick.current && toEnd());
    grown.observe(inner.current);
    grown.observe(box.current);
    return () => grown.disconnect();
  }, []);
  useEffect(() => { if (atEnd) setSeen(last); }, [atEnd, last]);
  return { box, inner, look, toEnd, atEnd, missed: messages.filter((m) => m.ts > seen).length };
}
