// Changes the password of a user who knows the old one. All other sessions end.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Form } from '../frame/form.js';

export function passwordForm(app, changed) {
  const form = new Form(app.redraw, async (data, element) => {
    await app.http.put('/v1/accounts/me/password', { current: data.get('/current'), new: data.get('/new') });
    element.reset();
    app.say(t('password.changed'), 'good');
    changed();
  });
  return {
    view: account => h('section', { class: 'card' },
      h('h2', null, t('password.title')),
      form.view([
        h('input', { type: 'text', hidden: true, autocomplete: 'username', value: account.login }),
        form.text({
          name: '/current', label: t('password.current'), type: 'password', autocomplete: 'current-password',
        }),
        form.text({
          name: '/new', label: t('reset.title'), hint: t('account.passwordHint'), type: 'password',
          autocomplete: 'new-password',
        }),
      ], { action: t('password.change'), quiet: true })),
  };
}
