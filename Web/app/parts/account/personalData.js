// Lets an administrator export or erase everything stored about a person, with a reason and after a description of the
// consequences.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Problem } from '../../core/net/http.js';
import { dialog } from '../frame/dialog.js';
import { saveFile } from '../frame/download.js';
import { Form } from '../frame/form.js';

/** The sheet that exports what is stored about `account`. */
export function takeData(app, account, { close }) {
  const about = { name: account.displayName };
  const form = new Form(app.redraw, async data => {
    const query = new URLSearchParams({ reason: reasonIn(data) });
    const { body } = await app.http.get(`/v1/accounts/${account.id}/export?${query}`, { form: 'text' });
    saveFile(`gradecast-${account.login}.json`, 'application/json', body);
    close();
    app.say(t('accounts.exported', about), 'good');
  });
  return sheet({
    key: `export-${account.id}`, name: 'export', form, close, texts: ['exportText', 'exportTrail'], about,
  });
}

/** The sheet that erases `account`; the login has to be typed again, so that nobody is erased by mistake. */
export function eraseAccount(app, account, { close, erased }) {
  const about = { name: account.displayName, login: account.login };
  const form = new Form(app.redraw, async data => {
    const query = new URLSearchParams({ reason: reasonIn(data) });
    if (data.get('/login').trim() !== account.login) throw fault('/login', 'accounts.eraseMismatch');
    await app.http.delete(`/v1/accounts/${account.id}?${query}`);
    erased();
    close();
    app.say(t('accounts.erased', about), 'good');
  });
  const confirm = () => form.text({
    name: '/login', label: t('accounts.eraseConfirm', about), className: 'text', autocomplete: 'off',
    autocapitalize: 'none', spellcheck: 'false',
  });
  return sheet({
    key: `erase-${account.id}`, name: 'erase', form, close, texts: ['eraseText', 'eraseRecords', 'eraseForever'], about,
    confirm, danger: true,
  });
}

const sheet = ({ key, name, form, close, texts, about, confirm = null, danger = false }) => () =>
  dialog({ key, title: t(`accounts.${name}Title`, about), close },
    h('ul', { class: 'consequences' }, texts.map(text => h('li', { key: text }, t(`accounts.${text}`, about)))),
    form.view([
      form.text({
        name: '/reason', label: t('accounts.reason'), hint: t('accounts.reasonHint'), className: 'text',
        autocomplete: 'off',
      }),
      confirm?.(),
    ], { action: t(`accounts.${name}`), cancel: close, danger }));

function reasonIn(data) {
  const reason = data.get('/reason').trim();
  if (reason === '') throw fault('/reason', 'accounts.reasonMissing');
  return reason;
}

const fault = (path, text) =>
  new Problem(422, { code: 'invalid', faults: [{ path, code: 'invalid', message: t(text) }] });
