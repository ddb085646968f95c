// What students see of a line: three choices, whatever `state` and `posting` they consist of.

/** In the order in which they are offered. */
export const SEES = ['draft', 'kept', 'shown'];

/** What students see of a line's results: `draft` for nothing at all, `kept` for the line without results, `shown` for
 *  its results, too. */
export const stateOf = line =>
  (line.state === 'draft' ? 'draft' : line.state === 'posted' || line.posting === 'automatic' ? 'shown' : 'kept');

/** The members of a line with which students see that. */
export const asSeen = chosen => ({
  draft: { state: 'draft' }, kept: { state: 'open', posting: 'manual' }, shown: { state: 'open', posting: 'automatic' },
})[chosen];
