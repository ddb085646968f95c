// The decimal and grouping marks of locales, and numbers written with them. The digits are the server's.

/** How `locale` writes numbers with our digits: `{decimal, groups}`, where `groups` tells which of "," and "." separates thousands. */
export function marksOf(locale) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' }).formatToParts(1234567.5);
  const mark = type => parts.find(part => part.type === type)?.value ?? '';
  const group = mark('group');
  return { decimal: mark('decimal') === ',' ? ',' : '.', groups: group === ',' || group === '.' ? group : null };
}

/**
 * Whose numbers count: the browser's, unless the person chose another of the languages that the page speaks. `chosen` is
 * that language or null, `languageOf` the page's language for a tag, or undefined.
 */
export function numberLocale(tags, chosen, languageOf) {
  const first = tags[0] ?? 'en';
  if (!chosen) return first;
  const own = tags.find(tag => languageOf(tag) === chosen);
  return own ?? (languageOf(first) ? chosen : first);
}

/** A number of the server's with the decimal sign of `marks`. Anything else stays as it is. */
export function writeNumber(value, marks) {
  const text = value === null || value === undefined ? '' : String(value);
  return marks.decimal === ',' && /^[-\u2212]?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

/** Every decimal in a line of computation, which holds no words; what decimal commas would run into gets semicolons. */
export const writeNumbers = (text, marks) =>
  (marks.decimal === ',' ? text.replaceAll(', ', '; ').replace(/(\d)\.(?=\d)/g, '$1,') : text);
