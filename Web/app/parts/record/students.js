// The names of an institution's members, and of the students of listed records.

import { t } from '../../core/text/i18n.js';

/** Puts the members of an institution into `members`, by account; a teacher gets the list of students. */
export async function readMembers(app, institution, members = new Map()) {
  for (let path = `/v1/institutions/${institution}/members?limit=200`; path;) {
    const { body, next } = await app.http.get(path);
    for (const member of body.items) members.set(member.account, member);
    path = next;
  }
  return members;
}

/** The same, but without names if they cannot be read: the page is shown all the same. */
export async function learnMembers(app, institution) {
  const members = new Map();
  await readMembers(app, institution, members).catch(() => {});
  return members;
}

/** The student of a record. A record outlives the account of its student. */
export const studentName = ({ displayName }) => displayName ?? t('program.noStudent');
