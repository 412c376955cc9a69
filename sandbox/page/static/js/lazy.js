// Components of other modules, loaded when they are first needed.
import { html, useState, useEffect } from "/static/vendor/htm-preact.js";

const loaded = new Map();

function load(path) {
  if (!loaded.has(path)) {
    loaded.set(path, import(path).catch((error) => {
      console.error(path, error);
      return { failed: error };
    }));
  }
  return loaded.get(path);
}

/** lazy is a component that draws what a module exports by that name, and waiting
 * until it is there. */
export function lazy(path, name, waiting = null) {
  return function Lazy(props) {
    const [module, setModule] = useState(null);
    useEffect(() => {
      let here = true;
      load(path).then((found) => here && setModule(found));
      return () => { here = false; };
    }, []);
    if (!module) return waiting;
    const Part = module[name];
    if (!Part) return html`<p class="missing">This part of the page could not be loaded.</p>`;
    return html`<${Part} ...${props} />`;
  };
}
