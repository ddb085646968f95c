// Rounds exact values as the server does for display.

const ties = { halfUp: () => true, halfDown: () => false, halfEven: odd => odd };
const sides = { ceiling: negative => !negative, floor: negative => negative, truncate: () => false };

/**
 * The value `text`, a decimal or a fraction such as "109/2", rounded to `scale` decimals by one of the modes of figures
 * (`halfUp`, `halfEven`, `halfDown`, `ceiling`, `floor`, `truncate`).
 */
export function roundedText(text, { mode, scale }) {
  const [top, bottom = '1'] = text.split('/');
  const [whole, digits = ''] = top.replace('-', '').split('.');
  const numerator = BigInt(whole + digits) * 10n ** BigInt(scale);
  const denominator = BigInt(bottom) * 10n ** BigInt(digits.length);
  const negative = top.startsWith('-');
  const rest = numerator % denominator;
  const below = numerator / denominator;
  const raised = rest !== 0n && (mode in sides ? sides[mode](negative)
    : 2n * rest === denominator ? ties[mode](below % 2n === 1n) : 2n * rest > denominator);
  const rounded = String(below + (raised ? 1n : 0n)).padStart(scale + 1, '0');
  const sign = negative && /[1-9]/.test(rounded) ? '-' : '';
  return sign + (scale === 0 ? rounded : `${rounded.slice(0, -scale)}.${rounded.slice(-scale)}`);
}
