// How late work was: minutes, which people write as `2 d`, `1 d 4 h`, `90 min`.

import { t } from './i18n.js';

const UNITS = [['days', 24 * 60], ['hours', 60], ['minutes', 1]];
// In all languages, as files and colleagues write them.
const NAMES = new Map([
  ...['d', 'day', 'days', 'j', 'jour', 'jours', '天', '日'].map(name => [name, 24 * 60]),
  ...['h', 'hour', 'hours', 'heure', 'heures', '小时', '时'].map(name => [name, 60]),
  ...['m', 'min', 'minute', 'minutes', '分钟', '分'].map(name => [name, 1]),
]);

/** Minutes in words: days, hours and minutes, without those that are zero. */
export function delayText(minutes) {
  let rest = Number(minutes);
  const parts = [];
  for (const [name, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(t(`late.${name}`, { count }));
  }
  return parts.join(' ');
}

/**
 * Reads a delay: `{minutes}`, which is null for none, or `{fault}`. A number without a unit is a fault: files mean
 * minutes by it, and people days.
 */
export function readDelay(text) {
  const typed = text.normalize('NFKC').trim().toLowerCase();
  if (typed === '' || typed === '0') return { minutes: null };
  let minutes = 0;
  let rest = typed;
  while (rest !== '') {
    const found = /^(\d{1,6})\s*(\p{L}+)\.?\s*/u.exec(rest);
    const length = found && NAMES.get(found[2]);
    if (!length) return { fault: t('late.unreadable') };
    minutes += Number(found[1]) * length;
    rest = rest.slice(found[0].length);
  }
  return { minutes: minutes === 0 ? null : minutes };
}
