// Explanations in the server's form: each node appears once and names its children by number (docs/traces.md).

import { valueIn } from '../values/own.js';

/** The query for the explanation of one figure of an entry or of the record. */
export const traceQuery = (figure, entry) => `?trace=${encodeURIComponent(entry ? `${figure}@${entry.id}` : figure)}`;

/** The node that explains a figure, `{op, value, children, …}`, or null. A node that several others use is shared. */
export function traceOf(standing, figure, entry) {
  const { figures, entries, nodes, scales } = standing.traces ?? { figures: {}, entries: {}, nodes: [], scales: [] };
  const number = valueIn(entry ? valueIn(entries, entry.id) : figures, figure);
  if (number === undefined) return null;
  const read = [];
  for (const { of = [], scale, ...node } of nodes) {
    read.push({ ...node, ...(scale === undefined ? {} : scales[scale]), children: of.map(child => read[child]) });
  }
  return read[number];
}
