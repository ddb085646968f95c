// The settings of a class: its name, whether students see it, how new columns are shown, and whether it has ended.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { TermChoice } from '../../../parts/program/termChoice.js';
import { change } from './changes.js';

/** The sheet of the settings. */
export function settingsSheet(desk) {
  const { taught } = desk;
  if (taught.state === 'closed') return reopeningSheet(desk);
  const choice = new TermChoice(desk.app, desk.program.institution, desk.redraw);
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing();
    const wanted = { title: String(data.get('/title')).trim(), posting: data.get('/posting'), ...choice.read(data) };
    const held = { ...taught, term: taught.term?.id ?? null };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== held[name]));
    if (Object.keys(changes).length > 0) await settle(desk, changes);
    const isNowUnseen = data.get('/sees') === 'nothing';
    if (isNowUnseen !== desk.isUnseen) {
      await change(desk, { op: 'patch', line: desk.root.id, state: isNowUnseen ? 'draft' : 'open' });
    }
    close();
  });
  const sees = desk.isUnseen ? 'nothing' : 'class';
  return () =>
    dialog({ key: 'class-settings', title: t('settings.ofClass'), close: desk.sheets.close, className: 'sheet' },
      form.view([
        form.text({ name: '/title', label: t('classes.name'), value: taught.title, maxlength: 200, required: true }),
        form.field({ name: '/sees', label: t('line.sees') }, attributes => h('select', attributes,
          ['class', 'nothing'].map(value =>
            h('option', { key: value, value, selected: value === sees }, t(`settings.sees.${value}`))))),
        form.field({ name: '/posting', label: t('line.posting') }, attributes => h('select', attributes,
          ['automatic', 'manual'].map(value =>
            h('option', { key: value, value, selected: value === taught.posting }, t(`line.posting.${value}`))))),
        choice.view(form, taught.term?.id ?? null),
      ], {
        action: t('action.save'), cancel: desk.sheets.close,
        more: h('button', {
          class: 'button quiet danger', type: 'button', onclick: () => desk.sheets.open(closingSheet(desk)),
        }, t('settings.close')),
      }));
}

const stateSheet = (desk, { state, key, title, text, action, said, danger }) => {
  const form = new Form(desk.redraw, async () => {
    const close = desk.sheets.closing();
    await settle(desk, { state });
    close();
    desk.app.say(said, 'good');
  });
  return () => dialog({ key, title, close: desk.sheets.close },
    form.view(h('p', null, text), { action, danger, cancel: desk.sheets.close }));
};

const closingSheet = desk => stateSheet(desk, {
  state: 'closed', key: 'close-class', title: t('settings.closeTitle', { title: desk.taught.title }),
  text: t('settings.closeText'), action: t('settings.close'),
  said: t('settings.closed'), danger: true,
});

const reopeningSheet = desk => stateSheet(desk, {
  state: 'open', key: 'open-class', title: t('settings.reopenTitle', { title: desk.taught.title }),
  text: t('settings.reopenText'), action: t('settings.reopen'),
  said: t('settings.reopened'), danger: false,
});

async function settle(desk, changes) {
  await desk.app.http.patch(desk.path, changes);
  await desk.lookAtClass();
}
