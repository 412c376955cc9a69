// The page's server. Every act is somebody's: become() says whose.

let person = "";

/** become says whose acts and streams follow: a user's id. */
export function become(id) {
  person = id;
}

/** whose acts they are now. */
export function acting() {
  return person;
}

/** act does one thing as the person, and rejects with a sentence for them. */
export function act(name, body = {}) {
  return post(`/page/as/${encodeURIComponent(person)}/${name}`, body);
}

/** post sends JSON and answers JSON; it rejects with the server's own sentence. */
export function post(path, body) {
  return answer(fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** get fetches JSON. */
export function get(path) {
  return answer(fetch(path, { headers: { Accept: "application/json" } }));
}

/** upload stages files for the person: [{ref, name, type, size, url}]. */
export async function upload(files) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const reply = await answer(fetch(`/page/as/${encodeURIComponent(person)}/upload`, { method: "POST", body: form }));
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
