// Changes of the structure of a class: carried out, or tried on all rows.

import { t } from '../../../core/text/i18n.js';
import { Problem } from '../../../core/net/http.js';

/** Changes the structure, and answers how to take that back; what is wrong stands at the fields of the form. */
export const change = (desk, step) => changeAll(desk, [step]);

/** Several steps as one act; with `s` only while the class has that structure. */
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

/** How many rows a change would change and how many refuse it, `{changed, refused}`; nothing is stored. */
export const rehearse = (desk, step) => rehearseAll(desk, [step]);

/** The same of several steps. */
export async function rehearseAll(desk, changes) {
  try {
    return (await desk.app.http.post(`${desk.path}/rehearsals`, { changes })).body;
  } catch (error) {
    throw placed(error, desk, changes);
  }
}

// Faults name the line or the step; in a form there is one of both, and a table finds the `line` by it. Whose results stand
// against it is said by name.
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
