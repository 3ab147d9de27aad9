// What this tab remembers across a reload, as long as the same demo runs.

import { token } from "./api.js";

const KEY = "comal-demo";
const run = token.slice(0, 8);
let kept = read();

function read() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY));
    return found?.run === run ? found : { run };
  } catch {
    return { run };
  }
}

/** Return what was kept under a name, or `otherwise`. */
export const recall = (name, otherwise) => kept[name] ?? otherwise;

/** Keep a JSON-shaped value; a browser without storage forgets it at the next reload. */
export function keep(name, value) {
  kept = { ...kept, [name]: value };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch { /* it is remembered until the page is left */ }
}
