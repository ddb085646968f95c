// The decimal and grouping marks of locales, and numbers written with them. The digits are the server's.

/** How `locale` writes numbers with Western digits: `{decimal, groups}`, where `groups` is the mark "," or "." that
 *  separates thousands, or null. */
export function marksOf(locale) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' })
    .formatToParts(1234567.5);
  const mark = type => parts.find(part => part.type === type)?.value ?? '';
  const group = mark('group');
  return { decimal: mark('decimal') === ',' ? ',' : '.', groups: group === ',' || group === '.' ? group : null };
}

/**
 * The locale that decides how numbers are written: the browser's, unless the user chose another language of the page.
 * `chosen` is that language or null; `languageOf` returns the page's language for a tag, or undefined.
 */
export function numberLocale(tags, chosen, languageOf) {
  const first = tags[0] ?? 'en';
  if (!chosen) return first;
  const own = tags.find(tag => languageOf(tag) === chosen);
  return own ?? (languageOf(first) ? chosen : first);
}

/** A number of the server with the decimal mark of `marks`. Anything else stays as it is. */
export function writeNumber(value, marks) {
  const text = value === null || value === undefined ? '' : String(value);
  return marks.decimal === ',' && /^[-\u2212]?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

/** Converts every decimal in a line of computation, which contains no words. Commas that separate arguments become
 *  semicolons, so that they are not mistaken for decimal commas. */
export const writeNumbers = (text, marks) =>
  (marks.decimal === ',' ? text.replaceAll(', ', '; ').replace(/(\d)\.(?=\d)/g, '$1,') : text);
