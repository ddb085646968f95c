// Changes the structure of a class, or tries changes on all rows.

import { t } from '../../../core/text/i18n.js';
import { Problem } from '../../../core/net/http.js';

/** Changes the structure, and returns how to undo that; faults are shown at the fields of the form. */
export const change = (desk, step) => changeAll(desk, [step]);

/** Several steps as one act; with `s`, only if the class still has that structure. */
export async function changeAll(desk, changes, s) {
  try {
    const { body } = await desk.app.http.post(`${desk.path}/changes`, { changes, s });
    const undo = desk.entry.did(body);
    if (body.stillMissing > 0) desk.app.say(t('line.stillMissing', { count: body.stillMissing }));
    await desk.lookAtClass();
    await desk.rows.read();
    return undo;
  } catch (error) {
    throw placed(error, desk, changes);
  }
}

/** How many rows a change would alter and how many refuse it, `{changed, refused}`; nothing is stored. */
export const rehearse = (desk, step) => rehearseAll(desk, [step]);

/** The same for several steps. */
export async function rehearseAll(desk, changes) {
  try {
    return (await desk.app.http.post(`${desk.path}/rehearsals`, { changes })).body;
  } catch (error) {
    throw placed(error, desk, changes);
  }
}

// Faults name the line or the step; a form has only one of each, and a table uses `line` to find the cell. Students
// whose results prevent the change are named.
function placed(error, desk, changes) {
  if (!(error instanceof Problem)) return error;
  error.faults = error.faults.map(fault => {
    const student = desk.model.rows.get(fault.args?.enrolment)?.name;
    const [place, list, one] = /^\/(changes|lines)\/([^/]+)/.exec(fault.path) ?? [''];
    return {
      ...fault, path: fault.path.slice(place.length), line: (list === 'changes' ? changes[one]?.line : one) ?? null,
      ...(student ? { message: t('class.refusedFor', { why: fault.message, student }) } : {}),
    };
  });
  return error;
}
