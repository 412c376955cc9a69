// The page: whose window it is, where in it, and what is drawn around that.
import { html, render, useState, useEffect, useLayoutEffect, useMemo, useRef } from "/static/vendor/htm-preact.js";
import { as, get } from "./api.js";
import { AppPlace } from "./applet.js";
import { Help, SkipLink, useRegions } from "./keys.js";
import { Modal } from "./modal.js";
import { Announcer, Notices } from "./notices.js";
import { Panel } from "./panel.js";
import { Place } from "./place.js";
import { here, phone, settle, useMedia, useRoute, wide } from "./route.js";
import { Sidebar } from "./sidebar.js";
import { read, tell, useStore, write } from "./store.js";
import { Thread } from "./thread.js";
import { Tour } from "./tour.js";
import { World } from "./world.js";

function App() {
  const [team, setTeam] = useState(null);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    get("/page/team").then(setTeam, (error) => setFailed(error.message));
  }, []);
  if (failed) return html`<p class="starting" role="alert">${failed}</p>`;
  if (!team) return html`<p class="starting">Opening the workspace…</p>`;
  const refresh = () => get("/page/team").then(setTeam, tell);
  return html`<${Somebody} team=${team} refresh=${refresh} />`;
}

/** Somebody's window: it starts afresh when another person sits down. */
function Somebody({ team, refresh }) {
  const route = useRoute();
  const people = team.users.filter((u) => !u.bot);
  const person = people.find((u) => u.name === route.as || u.id === route.as) || people[0];
  if (!person) return html`<p class="starting">Nobody is in this workspace.</p>`;
  return html`<${Desktop} key=${person.id} team=${team} person=${person} route=${route} refresh=${refresh} />`;
}

function Desktop({ team, person, route, refresh }) {
  const api = useMemo(() => as(person.id, team.now), [person.id]);
  const snap = useSnapshot(api, route, person);
  const small = useMedia(phone);
  useEffect(() => tell(""), []); // what went wrong was another person's
  useLanding(route, snap, small);
  useRegions(snap?.modal);
  useEffect(() => {
    if (snap && snap.app !== team.app.user) refresh(); // the app was added, or taken away
  }, [snap?.app, team.app.user]);
  if (!snap) return html`<p class="starting">Opening ${person.real_name}’s window…</p>`;
  const world = { team, me: snap.me, users: team.users, channels: snap.channels, api };
  const place = placeOf(route, snap);
  return html`<${World.Provider} value=${world}>
    <${SkipLink} />
    <header class="sr"><h1 class="sr">${team.team}, ${place.channel?.im ? team.app.name : "#" + (place.channel?.name || "")}</h1></header>
    <${Tour} snap=${snap} />
    <div class="stage"><div class="app" data-screen=${screenOf(route)} data-thread=${String(Boolean(route.thread))} data-pane=${String(Boolean(route.pane))}>
      <${Sidebar} snap=${snap} place=${place} pane=${route.pane} />
      ${place.app ? html`<${AppPlace} snap=${snap} place=${place} />` : html`<${Place} key=${place.id} snap=${snap} place=${place} />`}
      ${route.thread && html`<${Thread} key=${route.thread} snap=${snap} place=${place} ts=${route.thread} />`}
      ${route.pane && html`<${Panel} />`}
    </div>
    <${Modal} view=${snap.modal} depth=${snap.depth} ...${world} /></div>
    <${Help} />
    <${Notices} snap=${snap} />
    <${Announcer} snap=${snap} place=${place} thread=${route.thread} />
  <//>`;
}

// screenOf is the one pane a phone shows.
function screenOf(route) {
  if (route.pane) return "panel";
  if (route.thread) return "thread";
  return route.channel || route.app ? "place" : "list";
}

/** placeOf is the conversation before the person: {id, app, channel}. */
function placeOf(route, snap) {
  if (route.app) {
    const dm = snap.channels.find((c) => c.im);
    return { id: dm?.id || "", app: route.app === "messages" ? "messages" : "home", channel: dm };
  }
  const channel = snap.channels.find((c) => c.id === route.channel) || snap.channels.find((c) => c.id === snap.channel);
  return { id: channel?.id || "", app: "", channel };
}

// useSnapshot follows what is before the person. Until the first snapshot of another
// channel is there, the old one stays: placeOf and its readers look whose messages they are.
function useSnapshot(api, route, person) {
  const snap = useStore((state) => (state.snap?.me.id === person.id ? state.snap : null));
  const dm = snap?.channels.find((c) => c.im)?.id || "";
  const channel = route.app ? dm : route.channel;
  const home = route.app === "home" ? "1" : "";
  useEffect(() => {
    let end = null;
    begun(api, person).then(() => {
      end ??= api.follow({ channel, thread: route.thread, home }, (next) => write({ snap: next }), (connected) => write(connected && !read().connected ? { connected, trouble: "" } : { connected }));
    });
    return () => {
      end?.();
      end = () => {};
    };
  }, [api, channel, route.thread, home]);
  return snap;
}

const again = shownBefore(); // this tab is loaded anew
const beginning = new Map(); // by person: their client begins anew with it

// shownBefore tells whether the tab has shown the page already; a second tab has not.
function shownBefore() {
  try {
    const before = sessionStorage.getItem("page shown") !== null;
    sessionStorage.setItem("page shown", "yes");
    return before;
  } catch {
    return true;
  }
}

// begun waits until the person's client is as new as this document: as with Slack's own, an open form does not
// outlive a reload, and the app is told nothing.
function begun(api, person) {
  if (!again) return Promise.resolve();
  if (!beginning.has(person.id)) beginning.set(person.id, api.act("reload").catch(tell));
  return beginning.get(person.id);
}

// covered is the panel that a thread took the place of: it comes back after it.
let covered = "";

// useLanding puts a person in a channel when the address does not say where; on a phone only at first: the list of
// channels is a place there. It tells the app when its tabs are opened, as Slack does.
function useLanding(route, snap, small) {
  const api = useMemo(() => snap && as(snap.me.id), [snap?.me.id]);
  const landed = useRef(false);
  useEffect(() => {
    if (snap && !route.channel && !route.app && (!small || (!landed.current && !location.hash))) settle({ channel: snap.channel });
    landed.current ||= Boolean(snap);
  }, [snap?.me.id, snap?.channel, small, route.channel, route.app]);
  useEffect(() => {
    if (api && route.app) api.act(route.app === "messages" ? "open_messages" : "open_home").catch(tell);
  }, [api, route.app]);
  useLayoutEffect(() => {
    if (small || matchMedia(wide).matches) return;
    if (route.thread) covered = route.pane || covered;
    const pane = route.thread ? "" : route.pane || covered;
    if (!route.thread) covered = "";
    settle({ pane });
  }, [route.thread]);
  useEffect(() => {
    if (here().channel && snap && !snap.channels.some((c) => c.id === here().channel)) settle({ channel: small ? "" : snap.channel, thread: "" });
  }, [snap?.channels.length]);
}

render(html`<${App} />`, document.getElementById("root"));
