// Documents by topic, each with its epoch and version. They come from the live channel and from plain GETs; a document
// with an older version is ignored.

import { shared } from '../values/sharing.js';

export function createDocuments(onChange) {
  const held = new Map();
  return {
    get: topic => held.get(topic) ?? null,
    place: topic => held.get(topic)?.place ?? null,
    accept(topic, place, doc) {
      const before = held.get(topic);
      if (before && before.place.e === place.e && before.place.v >= place.v) return false;
      held.set(topic, { place, doc: shared(before?.doc, doc), before: before?.doc ?? null });
      onChange(topic, held.get(topic));
      return true;
    },
    drop(topic) {
      held.delete(topic);
    },
    clear() {
      held.clear();
    },
  };
}
