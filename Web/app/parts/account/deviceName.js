// Derives the name of a device from its browser's user agent: "Firefox on Linux".

import { t } from '../../core/text/i18n.js';

// The first match counts, because many browsers also name other browsers.
const browsers = [['Edge', /Edg(e|A|iOS)?\//], ['Opera', /OPR\//], ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//], ['Chrome', /(Chrome|CriOS|Chromium)\//], ['Safari', /Safari\//]];
const systems = [['iPhone', /iPhone/], ['iPad', /iPad/], ['Android', /Android/], ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/], ['ChromeOS', /CrOS/], ['Linux', /Linux|X11/]];

const named = (list, text) => list.find(([, pattern]) => pattern.test(text))?.[0];

/** The name of a session's device: from the browser's user agent, or else the name that the server gives it. */
export function deviceName({ client, deviceName: given }) {
  const browser = client && named(browsers, client);
  const system = client && named(systems, client);
  if (browser && system) return t('sessions.device', { browser, system });
  return given || browser || system || t('sessions.other');
}
