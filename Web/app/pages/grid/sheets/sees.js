// What students see of a line: three things, whatever `state` and `posting` they are made of.

/** In the order in which they are offered. */
export const SEES = ['draft', 'kept', 'shown'];

/** What students see of a line's results: `draft` for nothing at all, `kept` for the line alone, `shown` for its results, too. */
export const stateOf = line => (line.state === 'draft' ? 'draft' : line.state === 'posted' || line.posting === 'automatic' ? 'shown' : 'kept');

/** What a line says of itself when students are to see that. */
export const asSeen = chosen => ({ draft: { state: 'draft' }, kept: { state: 'open', posting: 'manual' }, shown: { state: 'open', posting: 'automatic' } })[chosen];
