// Where the person is, as the address says it:
// #as=maria&channel=C0SHOOTS&thread=TS&pane=desk, or app=home instead of a channel.
import { useState, useEffect } from "/static/vendor/htm-preact.js";

const fields = ["as", "channel", "app", "thread", "pane"];

/** here is the present route; what is not said is "". */
export function here() {
  const said = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(fields.map((field) => [field, said.get(field) || ""]));
}

/** address is the present route with some of it changed. */
export function address(patch) {
  const route = { ...here(), ...patch };
  const said = new URLSearchParams();
  for (const field of fields) if (route[field]) said.set(field, route[field]);
  return "#" + said;
}

/** go changes the route; Back undoes it. */
export function go(patch) {
  if (address(patch) !== location.hash) location.hash = address(patch);
}

/** goTo shows a message in its thread, once it is drawn. */
export function goTo({ route, ts }) {
  go(route);
  const end = performance.now() + 2000;
  const look = () => {
    const message = document.querySelector(`.thread [data-ts="${ts}"]`);
    if (message) show(message);
    else if (performance.now() < end) requestAnimationFrame(look);
  };
  setTimeout(look, 50); // a list that opens begins at its end
}

function show(message) {
  message.scrollIntoView({ block: "start" });
  message.classList.add("sought");
  message.addEventListener("animationend", () => message.classList.remove("sought"), { once: true });
}

/** openThread shows a message's thread. */
export const openThread = (message) => go({ thread: message.thread_ts || message.ts });

/** settle changes the route without a step in the history. */
export function settle(patch) {
  if (address(patch) === location.hash) return;
  history.replaceState(null, "", address(patch));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** useRoute keeps a component's route current. */
export function useRoute() {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const look = () => setRoute(here());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return route;
}

/** useMedia tells whether a media query holds. */
export function useMedia(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setHolds(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return holds;
}

/** phone is the width at which one pane fills the screen. */
export const phone = "(max-width: 760px)";
/** wide is the width at which a thread and a panel fit side by side. */
export const wide = "(min-width: 1560px)";
