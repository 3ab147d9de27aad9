// Makes elements; text is always text, never markup.

export const $ = (id) => document.getElementById(id);

/** Make an element: `traits` are attributes, `on…` listeners, `text` its words. */
export function el(name, traits = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A round face with a first letter. */
export const face = (of, name) =>
  el("span", { class: "face", "data-of": of, "aria-hidden": "true", text: [...name][0] ?? "" });

/** Set an attribute only when it changes, so that nothing is read out anew for no reason. */
export function put(node, key, value) {
  if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
}

/** Set words only when they change. */
export function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

export const clock = (seconds, withSeconds = false) =>
  new Date(seconds * 1000).toLocaleTimeString([], {
    hour: "2-digit", minute: "2-digit", second: withSeconds ? "2-digit" : undefined, hour12: false,
  });
