// The letters of a figure, as the program defines them.

import { fold } from '../../core/text/fold.js';
import { label } from '../../core/text/i18n.js';

/** The bands of a figure's letters, best first; empty if it has none. */
export function bandsOf(desk, figure) {
  const scale = figure?.letters?.bands;
  if (!scale) return [];
  return Array.isArray(desk.configuration.bands) ? desk.configuration.bands : scale;
}

const called = new WeakMap();

// The names of a scheme's letters, if they are more than the letter itself.
function textsOf(scheme) {
  if (!called.has(scheme)) {
    const bands = (scheme.figures ?? []).flatMap(figure => figure.letters?.bands ?? []);
    called.set(scheme, new Map(bands.filter(band => band.text).map(band => [band.label, band.text])));
  }
  return called.get(scheme);
}

/** The name of a letter: an upper second class has a name in each language. */
export const letterText = (scheme, letter) => label(textsOf(scheme).get(letter), letter);

/** The letter that a text means, by itself or by its name; any other text stays as it is. */
export function letterMeant(scheme, text) {
  const found = [...textsOf(scheme).keys()].find(letter => fold(letterText(scheme, letter)) === fold(text));
  return found ?? text;
}

/**
 * Where a letter begins, and the next better letter: `{from, better}`. Null if neither the displayed nor the exact
 * value of the figure is between them: a standing has one letter, which may be that of another figure.
 */
export function letterLimits(bands, letter, figure) {
  const place = bands.findIndex(band => band.label === letter);
  const [band, better = null] = [bands[place], bands[place - 1]];
  if (!figure?.exact || ![band, better ?? band].every(one => Number.isFinite(Number(one?.from ?? NaN)))) return null;
  const sign = Number(bands[0].from) < Number(bands.at(-1).from) ? -1 : 1;
  const reaches = (value, { from }) => sign * value >= sign * Number(from);
  const [numerator, denominator = 1] = figure.exact.split('/').map(Number);
  const lies = [Number(figure.display), numerator / denominator].some(value => reaches(value, band)
    && !(better && reaches(value, better)));
  return lies ? { from: band.from, better: better && { label: better.label, from: better.from } } : null;
}
