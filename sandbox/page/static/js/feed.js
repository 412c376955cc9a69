// What the desk, the faults and the tour show comes over one stream, whichever of
// them are open: a browser keeps few connections to one host.

import { useState, useEffect } from "/static/vendor/htm-preact.js";
import { stream } from "./api.js";

const hearers = new Set();
let last = null;
let end = null;

function hear(desk) {
  last = desk;
  for (const tell of [...hearers]) tell(desk);
}

/** useDesk is what lies on the desk now; null until it is known. */
export function useDesk() {
  const [desk, setDesk] = useState(last);
  useEffect(() => {
    hearers.add(setDesk);
    setDesk(last);
    end ??= stream("/page/desk/stream", "desk", hear);
    return () => {
      hearers.delete(setDesk);
      if (hearers.size) return;
      end();
      end = null;
    };
  }, []);
  return desk;
}

/** useDoing is [busy, trouble, run]: run does one thing at a time and keeps what went wrong. */
export function useDoing() {
  const [busy, setBusy] = useState("");
  const [trouble, setTrouble] = useState("");
  const run = async (name, what) => {
    if (busy) return false;
    setBusy(name);
    setTrouble("");
    try {
      await what();
      return true;
    } catch (err) {
      setTrouble(err.message);
      return false;
    } finally {
      setBusy("");
    }
  };
  return [busy, trouble, run];
}
