// Light and dark theme: the system's choice unless the user chooses one. `early.js` applies it before the first paint.

const KEY = 'gradecast.theme';

export const themes = ['system', 'light', 'dark'];

export const theme = () => localStorage.getItem(KEY) ?? 'system';

export function chooseTheme(name) {
  if (name === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, name);
    document.documentElement.dataset.theme = name;
  }
}
