// Lets node find the page's modules where a browser does: under /static/.
import { register } from "node:module";

const folder = new URL("../static/", import.meta.url).href;
register(`data:text/javascript,${encodeURIComponent(`
  export function resolve(name, context, next) {
    return next(name.startsWith("/static/") ? ${JSON.stringify(folder)} + name.slice(8) : name, context);
  }
  export function load(url, context, next) {
    return next(url, url.startsWith(${JSON.stringify(folder)}) ? { ...context, format: "module" } : context);
  }`)}`);
