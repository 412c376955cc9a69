// Drafts are what a person has put into the fields of one surface (a view or a
// message) and the workspace has not shown back yet. While a field is focused or
// on its way, the local value wins, so that a snapshot that arrives in the middle
// never takes typed words away. A field is known by its block id and action id.

import { same } from "./state.js";

export const typing = 150; // ms without a key before text travels
const settling = 1500; // ms an answered value may differ from the one shown

class Drafts {
  constructor(target) {
    this.target = target;
    this.fields = new Map();
    this.listeners = new Set();
    this.trouble = "";
    this.coming = 0; // uploads on their way: what holds them cannot be submitted yet, as in Slack
    this.act = null; // (name, body) => Promise
  }

  listen(redraw) {
    this.listeners.add(redraw);
    return () => this.listeners.delete(redraw);
  }

  redraw() {
    for (const redraw of this.listeners) redraw();
  }

  /** Counts an upload until it is there, or is not. */
  async expect(upload) {
    this.coming++;
    this.redraw();
    try {
      await upload;
    } finally {
      this.coming--;
      this.redraw();
    }
  }

  say(trouble) {
    if (this.trouble === trouble) return;
    this.trouble = trouble;
    this.redraw();
  }

  field(block, action) {
    const id = JSON.stringify([block, action]);
    if (!this.fields.has(id)) {
      this.fields.set(id, { block, action, state: undefined, dirty: false, timer: 0, flight: null, focused: false, answered: 0 });
    }
    return this.fields.get(id);
  }

  /** Takes a new state; it travels after wait ms, or with the next flush when wait is Infinity. */
  change(field, state, wait) {
    field.state = state;
    field.dirty = true;
    clearTimeout(field.timer);
    if (wait === 0) this.push(field);
    else if (wait !== Infinity) field.timer = setTimeout(() => this.push(field), wait);
    this.redraw();
  }

  /** Sends a field's newest state; one request of a field at a time, in order. */
  push(field) {
    clearTimeout(field.timer);
    if (field.flight) return field.flight.then(() => (field.dirty ? this.push(field) : undefined));
    if (!field.dirty) return Promise.resolve();
    field.dirty = false;
    field.flight = this.send(field).finally(() => {
      field.flight = null;
      field.answered = Date.now();
      this.redraw();
      setTimeout(() => this.redraw(), settling);
    });
    this.redraw();
    return field.flight;
  }

  async send(field) {
    try {
      await this.act("act", { target: { ...this.target, block: field.block, action: field.action }, state: field.state });
      this.say("");
    } catch (err) {
      field.dirty = true; // kept, and sent again with the next flush
      throw err;
    }
  }

  /** Sends everything that waits and resolves when the workspace has it all. */
  flush() {
    const waiting = [...this.fields.values()].filter((field) => field.dirty || field.flight);
    return Promise.all(waiting.map((field) => this.push(field)));
  }

  /** Lets go of a local state once the workspace shows it. */
  reconcile(field, shown) {
    if (field.state === undefined || field.dirty || field.flight || field.focused) return;
    if (same(field.state, shown) || Date.now() - field.answered >= settling) {
      field.state = undefined;
      this.redraw();
    }
  }

  /** A field left the screen: what it holds is sent, then forgotten. */
  leave(field) {
    field.focused = false;
    const id = JSON.stringify([field.block, field.action]);
    const forget = () => this.fields.get(id) === field && !field.focused && this.fields.delete(id);
    if (field.dirty || field.flight) this.push(field).then(forget, forget);
    else forget();
  }
}

const most = 200; // surfaces remembered
const surfaces = new Map();

// Words that wait for a pause in the typing go before the page does. Those in a form go with it.
globalThis.addEventListener?.("pagehide", () => {
  for (const drafts of surfaces.values()) if (drafts.act && drafts.target.ts) drafts.flush().catch(() => {}); // nobody is left to be told
});

/** The drafts of a surface: the same for as long as the page lives. */
export function draftsOf(target) {
  const key = target.view ? target.view : `${target.channel} ${target.ts}`;
  let drafts = surfaces.get(key);
  if (!drafts) {
    drafts = new Drafts(target.view ? { view: target.view } : { channel: target.channel, ts: target.ts });
    for (const [old, idle] of surfaces) {
      if (surfaces.size < most) break;
      if (idle.fields.size === 0 && idle.listeners.size === 0) surfaces.delete(old);
    }
    surfaces.set(key, drafts);
  }
  return drafts;
}
