// Text with its marks, as elements. Offsets count UTF-16 units, as JavaScript's strings do.

import { el } from "./dom.js";

const TAGS = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code", pre: "pre",
  blockquote: "blockquote", expandable_blockquote: "blockquote",
};
const SIGNS = {
  "✅": ["✓", "good"], "🚫": ["✕", "bad"], "❌": ["✕", "bad"], "⚠": ["!", "ask"], "⌛": ["…", "ask"], "⏳": ["…", "busy"],
  "↪": ["↪", "ask"],
};
const SIGN = /(✅|🚫|❌|⚠|⌛|⏳|↪)\uFE0F?/u;
const BOXES = new Set(["pre", "blockquote", "expandable_blockquote"]);
const MARKED = new Set(["mention", "bot_command", "hashtag", "text_mention"]);

/** Return nodes for `text`; marks may nest, and never lie across each other. */
export function marked(text, entities) {
  const order = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return span(text, order, 0, text.length);
}

function span(text, entities, from, to) {
  const nodes = [];
  let at = from;
  for (let i = 0; i < entities.length; i += 1) {
    const mark = entities[i];
    const end = Math.min(mark.offset + mark.length, to);
    if (mark.offset < at || end <= mark.offset) continue;
    const inner = entities.slice(i + 1).filter((e) => e.offset < end);
    if (mark.offset > at) nodes.push(...signed(text.slice(at, mark.offset)));
    nodes.push(element(mark, span(text, inner, mark.offset, end)));
    at = end + (BOXES.has(mark.type) && text[end] === "\n" ? 1 : 0); // a box ends its line by itself
  }
  if (at < to) nodes.push(...signed(text.slice(at, to)));
  return nodes;
}

/** Draw the host's signs ourselves: not every machine has a font for them. */
function signed(text) {
  return text.split(SIGN).map((piece) => {
    if (!SIGNS[piece]) return piece;
    const [shape, tone] = SIGNS[piece];
    return el("span", { class: `sign ${tone}`, role: "img", "aria-label": piece, text: shape });
  });
}

function element(mark, children) {
  if (mark.type === "text_link" && /^https?:/i.test(mark.url)) {
    return el("a", { href: mark.url, rel: "noreferrer noopener", target: "_blank" }, ...children);
  }
  if (MARKED.has(mark.type)) return el("span", { class: "mark" }, ...children);
  return el(TAGS[mark.type] ?? "span", {}, ...children);
}
