// A surface is whatever holds blocks: a message, a modal's view, the App Home.
// It tells its elements where they are, what they hold, and how to act.

import { createContext, useContext, useEffect, useReducer, useRef, useState } from "/static/vendor/htm-preact.js";
import { ask } from "./confirm.js";
import { initialState } from "./state.js";
import { typing } from "./drafts.js";

/** {blocks, values, errors, drafts, api, users, channels, me, modal, drawAll}: drawAll is for blocks within blocks. */
export const Surface = createContext(null);

export const useSurface = () => useContext(Surface);

/** Draws a component again whenever the drafts change. */
export function useDrafts(drafts) {
  const [, redraw] = useReducer((n) => n + 1, 0);
  useEffect(() => drafts?.listen(redraw), [drafts]);
  return drafts;
}

/**
 * One field: its state, whether it is on its way, and how to change it.
 * Typed text waits for a pause, a choice travels at once.
 */
export function useField(block, element) {
  const { drafts, values } = useSurface();
  useDrafts(drafts);
  const field = drafts.field(block.block_id, element.action_id);
  const shown = values?.[block.block_id]?.[element.action_id] ?? initialState(element);
  useEffect(() => () => drafts.leave(field), [field]);
  useEffect(() => drafts.reconcile(field, shown));
  const quietly = (sent) => sent?.catch((err) => drafts.say(err.message));
  return {
    state: field.state ?? shown,
    busy: field.flight !== null,
    type: (state, wait = typing) => drafts.change(field, state, wait),
    choose: (state) => {
      drafts.change(field, state, Infinity);
      return quietly(drafts.push(field));
    },
    send: () => quietly(drafts.push(field)),
    focus: () => {
      field.focused = true;
    },
    blur: () => {
      field.focused = false;
      return quietly(drafts.push(field));
    },
  };
}

/** Presses an element after its confirmation; busy until the app has answered. */
export function usePress(block, element) {
  const surface = useSurface();
  const [busy, setBusy] = useState(false);
  const pressing = useRef(false);
  const press = async (state = null, confirm = element.confirm) => {
    if (pressing.current) return;
    pressing.current = true;
    try {
      if (confirm && !(await ask(confirm, surface))) return;
      setBusy(true);
      await surface.drafts.flush();
      await surface.api.act("act", { target: { ...surface.drafts.target, block: block.block_id, action: element.action_id }, state });
      surface.drafts.say("");
    } catch (err) {
      surface.drafts.say(err.message);
    } finally {
      pressing.current = false;
      setBusy(false);
    }
  };
  return [busy, press];
}

let ids = 0;

/** An id for a label to point at, the same while the component lives. */
export function useID() {
  const id = useRef("");
  if (!id.current) id.current = `bk${++ids}`;
  return id.current;
}
