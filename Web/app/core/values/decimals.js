// Compares and adds decimal texts as the server writes them ("-12.50"), digit by digit, without converting them to
// binary fractions.

const form = /^(-?)0*(\d*?)(?:\.(\d*?)0*)?$/;

/** Whether a text is a decimal in the server's form. */
export const isDecimal = text => /^-?\d+(\.\d+)?$/.test(text);

/** Compares two decimal texts for `sort`: negative, zero or positive. */
export function compareDecimals(one, other) {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (first.sign !== second.sign) return first.sign - second.sign;
  return first.sign * compareSizes(first, second);
}

function partsOf(text) {
  const [, minus, whole, fraction = ''] = form.exec(text);
  const isNothing = whole === '' && fraction === '';
  return { sign: isNothing ? 0 : minus ? -1 : 1, whole, fraction };
}

function compareSizes(one, other) {
  if (one.whole.length !== other.whole.length) return one.whole.length - other.whole.length;
  if (one.whole !== other.whole) return one.whole < other.whole ? -1 : 1;
  if (one.fraction === other.fraction) return 0;
  return one.fraction < other.fraction ? -1 : 1;
}

const placesOf = texts => Math.max(0, ...texts.map(text => (text.split('.')[1] ?? '').length));

function inUnits(text, places) {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

/** Whether a value is below a share in percent of the way from `worst` to `best`, exactly; all are decimal texts. */
export function isBelowShare(value, percent, worst, best) {
  const places = placesOf([value, percent, worst, best]);
  const [now, share, from, to, whole] = [value, percent, worst, best, '100'].map(text => inUnits(text, places));
  const isLess = (now - from) * whole < share * (to - from);
  const isSame = (now - from) * whole === share * (to - from);
  return to > from ? isLess : !isLess && !isSame;
}

/** The sum of decimal texts, exactly. */
export function addDecimals(texts) {
  const places = placesOf(texts);
  const total = texts.reduce((sum, text) => sum + inUnits(text, places), 0n);
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - places),
    digits.slice(digits.length - places).replace(/0+$/, '')];
  return `${total < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
