// Isolates names within a sentence: a right-to-left name must not reorder the words around it.

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const turning = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** The text, isolated if it could reorder the text around it. For text inside attributes; elements have `bdi`. */
export function isolate(text) {
  const plain = text.replace(turning, '');
  return plain !== text || rightToLeft.test(text) ? `\u2068${plain}\u2069` : text;
}
