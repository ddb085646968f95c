// Texts in the language that the user chose, or else the browser's. Numbers keep the server's digits and get the
// locale's decimal mark.

import { isolate } from './isolate.js';
import { marksOf, numberLocale, writeNumber, writeNumbers } from './marks.js';

export const languages = [
  { id: 'en', name: 'English' },
  { id: 'fr', name: 'Français' },
  { id: 'zh-Hans', name: '简体中文' },
];

const KEY = 'gradecast.language';
let current = 'en';
let texts = {};
let wanted = 'en';
let ofPerson = marksOf('en');
const parts = new Set(['']);
const fetched = new Map();

export const language = () => current;

/** The marks with which the user writes numbers. */
export const marks = () => ofPerson;

const known = id => (languages.some(item => item.id === id) ? id : null);

function languageOf(tag) {
  const base = tag.toLowerCase().split('-')[0];
  return base === 'zh' ? 'zh-Hans' : known(base) ?? undefined;
}

// Skips tags that `Intl` would reject.
const browserTags = () =>
  [...navigator.languages ?? [], 'en'].filter(tag => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag));

const onDevice = () => known(localStorage.getItem(KEY));

/**
 * Uses the language that was chosen on this device, or else the one that the account's owner chose, or else the
 * browser's. Numbers follow the browser's locale if it is in the same language.
 */
export const speak = (ofAccount = null) => become(onDevice() ?? known(ofAccount));

export async function chooseLanguage(id) {
  await become(id);
  localStorage.setItem(KEY, id);
}

/** The language that was chosen on this device, as a member of a request; empty if none was chosen. */
export const chosenLanguage = () => (onDevice() ? { locale: onDevice() } : {});

async function become(chosen) {
  await loadLanguage(chosen ?? browserTags().map(languageOf).find(Boolean));
  ofPerson = marksOf(numberLocale(browserTags(), chosen, languageOf));
}

async function loadLanguage(id) {
  const before = wanted;
  wanted = id;
  await settle().catch(error => {
    if (wanted === id) wanted = before;
    throw error;
  });
}

/** The language, its texts and the user's marks, as values that can be sent to a worker (`speakWith`). */
export const voice = () => ({ current, texts, ofPerson });

/** Uses the language, texts and marks of the page that `voice` came from. */
export function speakWith(voice) {
  ({ current, texts, ofPerson } = voice);
}

// Texts that come with others; in the bundled client they are in the same file.
const WITHIN = { staff: ['record'] };

/** Loads texts that not every page needs, with the first page that needs them. */
export async function useTexts(...names) {
  const added = names.flatMap(name => [...(WITHIN[name] ?? []), name]).map(name => `.${name}`)
    .filter(part => !parts.has(part));
  for (const part of added) parts.add(part);
  await settle().catch(error => {
    // Other pages go on without them.
    for (const part of added) parts.delete(part);
    throw error;
  });
}

// The language may change while a page loads its texts, and vice versa: the latest request counts.
async function settle() {
  const [id, count] = [wanted, parts.size];
  const found = await Promise.all([...parts].map(part => fetchTexts(`/app/i18n/${id}${part}.json`)));
  if (id !== wanted || count !== parts.size) return settle();
  texts = Object.assign({}, ...found);
  current = id;
  document.documentElement.lang = id;
}

function fetchTexts(path) {
  if (!fetched.has(path)) {
    fetched.set(path, fetch(path).then(answer => answer.json()).catch(error => {
      fetched.delete(path);
      throw error;
    }));
  }
  return fetched.get(path);
}

/** The text under `key`, with `values` inserted for `{name}`; `count` selects the plural form. Names are isolated,
 *  numbers localised. */
export function t(key, values = {}) {
  let name = key;
  if ('count' in values) {
    const form = `${key}.${new Intl.PluralRules(current).select(values.count)}`;
    name = form in texts ? form : `${key}.other` in texts ? `${key}.other` : key;
  }
  const text = texts[name];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, part) => (part in values ? inSentence(values[part]) : whole));
}

const inSentence = value => (typeof value === 'number' ? toInput(value) : isolate(String(value)));

/** Sentences one after the other; what is empty is left out. */
export const sentences = list => list.filter(Boolean).join(current.startsWith('zh') ? '' : ' ');

export const has = key => key in texts;

/** Picks a text from `{"en":…,"fr":…,"zh-Hans":…}`, the form of texts in shapes and schemes. */
export function label(labels, fallback = '') {
  if (!labels) return fallback;
  if (typeof labels === 'string') return labels;
  return labels[current] ?? labels.en ?? Object.values(labels)[0] ?? fallback;
}

export const time = at => new Intl.DateTimeFormat(current, { timeStyle: 'short' }).format(new Date(at));
export const dateTime = at =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
/** The day of a moment in the user's time zone; a day without a time is the same everywhere. */
export const date = at =>
  new Intl.DateTimeFormat(current, {
    dateStyle: 'medium', ...(/^\d{4}-\d\d-\d\d$/.test(at) ? { timeZone: 'UTC' } : {}),
  }).format(new Date(at));

/** A number of the server with the user's decimal mark. Other text stays as it is. */
export const toInput = value => writeNumber(value, ofPerson);

/** A line of computation in which all numbers have the user's decimal mark. */
export const computation = text => writeNumbers(text, ofPerson);
