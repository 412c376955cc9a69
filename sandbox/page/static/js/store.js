// What the page knows. Components read it with useStore, and are drawn again when
// what they read has changed.
import { useState, useEffect } from "/static/vendor/htm-preact.js";

const listeners = new Set();

let state = {
  snap: null,      // the last snapshot
  connected: true, // to the server
  trouble: "",     // what went wrong here, not in Slack
  shortcuts: 0,    // grows when the keyboard asks for the shortcuts menu
  help: false,     // the keys are explained
  tour: true,      // the tour is shown
};

/** read is the state now. */
export function read() {
  return state;
}

/** write changes some of it. */
export function write(patch) {
  state = { ...state, ...patch };
  for (const listener of [...listeners]) listener();
}

/** tell shows a person what went wrong. */
export function tell(sentence) {
  write({ trouble: sentence instanceof Error ? sentence.message : sentence });
}

/** useStore is a part of the state, kept current. */
export function useStore(pick) {
  const [value, setValue] = useState(() => pick(state));
  useEffect(() => {
    const look = () => setValue(() => pick(state));
    listeners.add(look);
    look();
    return () => listeners.delete(look);
  }, []);
  return value;
}
