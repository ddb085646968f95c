// The names of an institution's members, and of the students of listed records.

import { t } from '../../core/text/i18n.js';

/** Members by account, put into `members`; a teacher reads the list of students. */
export async function readMembers(app, institution, members = new Map()) {
  for (let path = `/v1/institutions/${institution}/members?limit=200`; path;) {
    const { body, next } = await app.http.get(path);
    for (const member of body.items) members.set(member.account, member);
    path = next;
  }
  return members;
}

/** The same as far as it can be learnt: names are left out rather than the page. */
export async function learnMembers(app, institution) {
  const members = new Map();
  await readMembers(app, institution, members).catch(() => {});
  return members;
}

/** Whose record a line is about. A record outlives the account of its student. */
export const studentName = ({ displayName }) => displayName ?? t('program.noStudent');
