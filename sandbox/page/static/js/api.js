// The page's server.
import { without } from "./ephemeral.js";

/**
 * as is what one person can do: what they began stays theirs, whoever is shown since.
 * What only they saw is gone when the page is loaded anew: loaded is when that was.
 */
export const as = (person, loaded = "") => ({
  /** act does one thing, and rejects with a sentence for the person. */
  act: (name, body = {}) => post(pathOf(person, name), body),
  /** upload stages files: [{ref, name, type, size, url}]. */
  upload: (files) => upload(pathOf(person, "upload"), files),
  /** follow hears a whole snapshot whenever something changed. */
  follow: (look, hear, connected) => stream(`${pathOf(person, "stream")}?${new URLSearchParams(look)}`, "state", (snap) => hear(without(snap, loaded)), connected),
});

const pathOf = (person, what) => `/page/as/${encodeURIComponent(person)}/${what}`;

// What is sent while the page is being left arrives all the same.
let leaving = false;
addEventListener("pagehide", () => { leaving = true; });
addEventListener("pageshow", () => { leaving = false; });

/** post sends JSON and answers JSON; it rejects with the server's own sentence. */
export function post(path, body) {
  return answer(fetch(path, {
    method: "POST",
    keepalive: leaving,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** get fetches JSON. */
export function get(path) {
  return answer(fetch(path, { headers: { Accept: "application/json" } }));
}

async function upload(path, files) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const reply = await answer(fetch(path, { method: "POST", body: form }));
  return reply.files;
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Error("The workspace does not answer. Is it still running?");
  }
  const text = await response.text();
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    body = { error: text.trim() };
  }
  if (!response.ok) throw new Error(body.error || `The workspace answered ${response.status}.`);
  return body;
}

/**
 * stream listens to server-sent events and answers a function that ends it.
 * It lets go while nobody looks: a browser keeps six connections to one host,
 * and a few tabs with streams of their own would use them all up.
 */
export function stream(path, event, hear, connected = () => {}) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(path);
    source.addEventListener("open", () => connected(true));
    source.addEventListener("error", () => connected(false));
    source.addEventListener(event, (e) => hear(JSON.parse(e.data)));
  };
  const shut = () => {
    source?.close();
    source = null;
  };
  const turn = () => (document.hidden ? shut() : open());
  document.addEventListener("visibilitychange", turn);
  open();
  return () => {
    document.removeEventListener("visibilitychange", turn);
    shut();
  };
}
