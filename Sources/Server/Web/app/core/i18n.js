// Texts in English, French and simplified Chinese. Keys are looked up in the language chosen by the user, else the
// browser's. Figures are never formatted here: the server decides how a number is written.

export const languages = [
  { id: 'en', name: 'English' },
  { id: 'fr', name: 'Français' },
  { id: 'zh-Hans', name: '简体中文' },
];

const KEY = 'gradecast.language';
let current = 'en';
let texts = {};
let wanted = 'en';
const parts = new Set(['']);
const fetched = new Map();

export const language = () => current;

export function preferredLanguage() {
  const chosen = localStorage.getItem(KEY);
  if (languages.some(item => item.id === chosen)) return chosen;
  for (const tag of navigator.languages ?? []) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'zh') return 'zh-Hans';
    if (base === 'en' || base === 'fr') return base;
  }
  return 'en';
}

export async function loadLanguage(id) {
  const before = wanted;
  wanted = id;
  await settle().catch(error => {
    if (wanted === id) wanted = before;
    throw error;
  });
}

/** Texts that not everybody needs are fetched with the first page that does. */
export function useTexts(part) {
  parts.add(part);
  return settle();
}

// A language may change while a page brings its texts, and the other way round: what counts is what is wanted last.
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

export async function chooseLanguage(id) {
  await loadLanguage(id);
  localStorage.setItem(KEY, id);
}

/** The text under `key`; `{name}` is replaced from `values`, and `count` picks the plural form. */
export function t(key, values = {}) {
  let name = key;
  if ('count' in values) {
    const form = `${key}.${new Intl.PluralRules(current).select(values.count)}`;
    name = form in texts ? form : `${key}.other` in texts ? `${key}.other` : key;
  }
  const text = texts[name];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, part) => (part in values ? String(values[part]) : whole));
}

export const has = key => key in texts;

/** Picks from `{"en":…,"fr":…,"zh-Hans":…}`, as shapes and schemes carry their texts. */
export function label(labels, fallback = '') {
  if (!labels) return fallback;
  if (typeof labels === 'string') return labels;
  return labels[current] ?? labels.en ?? Object.values(labels)[0] ?? fallback;
}

export const time = at => new Intl.DateTimeFormat(current, { timeStyle: 'short' }).format(new Date(at));
export const dateTime = at =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
export const date = at => new Intl.DateTimeFormat(current, { dateStyle: 'medium' }).format(new Date(at));

const commaFirst = () => (1.5).toLocaleString(current).includes(',');

/** How an input shows a number of the record: with the decimal sign of the user's language. */
export function toInput(value) {
  const text = value === null || value === undefined ? '' : String(value);
  return commaFirst() ? text.replace('.', ',') : text;
}

/** What was typed, as the server reads it: a decimal comma becomes a point where the language writes commas. */
export function fromInput(text) {
  const trimmed = text.trim();
  return commaFirst() ? trimmed.replace(',', '.') : trimmed;
}
