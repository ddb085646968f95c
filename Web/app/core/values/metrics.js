// Metrics in the text format of Prometheus.

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The samples of a report, `{name, labels, value}`. Other lines are ignored. */
export const readMetrics = text => text.split('\n').flatMap(line => {
  const found = SAMPLE.exec(line);
  if (!found) return [];
  const [, name, labels = '', value] = found;
  return [{
    name, labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }];
});

/** The sum of a metric over its series, or over those that `isMeant(labels)` chooses. */
export const total = (samples, name, isMeant = () => true) =>
  samples.filter(sample => sample.name === name && isMeant(sample.labels)).reduce((sum, { value }) => sum + value, 0);

/** How much a metric that only rises has risen since an earlier report, or since the start where that is null. After a
 *  restart it begins again. */
export function rise(samples, earlier, name, isMeant) {
  const [now, before] = [total(samples, name, isMeant), earlier ? total(earlier, name, isMeant) : 0];
  return now < before ? now : now - before;
}

/**
 * The seconds within which a share of what a histogram has counted since an earlier report lies: the bound of a bucket,
 * `Infinity` beyond the last one, and null if nothing was counted.
 */
export function within(samples, earlier, name, share) {
  const bounds = [...new Set(samples.filter(sample => sample.name === `${name}_bucket`).map(({ labels }) => labels.le))]
    .map(text =>
      ({ text, bound: text === '+Inf' ? Infinity : Number(text) })).sort((one, other) => one.bound - other.bound);
  const counts = bounds.map(({ text, bound }) =>
    ({ bound, count: rise(samples, earlier, `${name}_bucket`, ({ le }) => le === text) }));
  const all = counts.at(-1)?.count ?? 0;
  return all === 0 ? null : counts.find(({ count }) => count >= share * all).bound;
}
