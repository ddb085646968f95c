// Keeps calculations without a record in their tab, so that they survive a reload, or a sign-in on another site and the
// way back. They are deleted with the tab, and when the user signs out.

import { CALCULATION as PREFIX } from '../storage/kept.js';

const LARGEST = 500_000;

/** Keeps the calculation of a scheme, unless it is too long. */
export function keepCalculation(scheme, calculation) {
  const text = JSON.stringify(calculation);
  try {
    if (text.length > LARGEST) forget(scheme);
    else sessionStorage.setItem(PREFIX + scheme, text);
  } catch {
    // The browser's storage is full.
    forget(scheme);
  }
}

/** The calculation that was kept for a scheme, or null. */
export function keptCalculation(scheme) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + scheme));
  } catch {
    return null;
  }
}

const forget = scheme => sessionStorage.removeItem(PREFIX + scheme);
