// The menu for guests: language and theme.

import { chooseLanguage, language, languages, t, useTexts } from '../../core/text/i18n.js';
import { chooseTheme, theme, themes } from '../../core/page/theme.js';
import { besides, contextMenu } from './contextMenu.js';

/** Opens the menu below `button`. */
export async function openLookMenu(app, button) {
  await useTexts('profile');
  const at = besides(button);
  app.menu = () => contextMenu({
    label: t('nav.look'), at, back: () => button.focus(),
    close: () => {
      app.menu = null;
      app.redraw();
    },
    items: [
      ...languages.map(({ id, name }) => ({ text: name, isOn: id === language(), act: () => speak(app, id) })),
      null,
      ...themes.map(name => ({
        text: t(`theme.${name}`), isOn: name === theme(), act: () => {
          chooseTheme(name);
          app.redraw();
        },
      })),
    ],
  });
  app.redraw();
}

async function speak(app, id) {
  await chooseLanguage(id);
  app.redraw();
}
