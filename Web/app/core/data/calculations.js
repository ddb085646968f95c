// What is calculated without a record stays in its tab: it outlives a sign-in elsewhere and the way back, and a reload. It
// goes with the tab, and when the person signs out.

import { CALCULATION as PREFIX } from '../storage/kept.js';

const LARGEST = 500_000;

/** Keeps the calculation with a scheme; what is too long for it is not kept. */
export function keepCalculation(scheme, calculation) {
  const text = JSON.stringify(calculation);
  try {
    if (text.length > LARGEST) forget(scheme);
    else sessionStorage.setItem(PREFIX + scheme, text);
  } catch {
    // The browser has no room for it.
    forget(scheme);
  }
}

/** The calculation with a scheme that was kept, or null. */
export function keptCalculation(scheme) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + scheme));
  } catch {
    return null;
  }
}

const forget = scheme => sessionStorage.removeItem(PREFIX + scheme);
