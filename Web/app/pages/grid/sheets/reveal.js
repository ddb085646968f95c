// The end of anonymous marking in a column.

import { t } from '../../../core/text/i18n.js';
import { confirmation } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';

/** Asks for confirmation before the results of a column are assigned to their students. */
export function revealSheet(desk, column) {
  const reveal = async () => {
    desk.sheets.close();
    try {
      await desk.app.http.post(`${desk.path}/reveal`, { line: column.line });
      await desk.lookAtClass();
      await desk.rows.read();
      desk.app.say(t('anonymous.revealed', { title: column.title }), 'good');
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
    desk.redraw();
  };
  return () => confirmation({
    key: 'reveal', title: t('anonymous.revealTitle', { title: column.title }), text: t('anonymous.revealText'),
    action: t('anonymous.reveal'),
    confirm: reveal, close: desk.sheets.close,
  });
}
