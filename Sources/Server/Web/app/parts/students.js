// The names of an institution's members, for tables of records.

import { t } from '../core/i18n.js';

/** Members by account; a teacher reads the list of students. */
export async function learnMembers(app, institution) {
  const members = new Map();
  for (let path = `/v1/institutions/${institution}/members?limit=200`; path;) {
    const answer = await app.http.get(path).catch(() => null);
    for (const member of answer?.body.items ?? []) members.set(member.account, member);
    path = answer?.next ?? null;
  }
  return members;
}

/** Whose record it is, as well as that is known. */
export const studentName = (members, account, record) =>
  members.get(account)?.displayName ?? t('program.someone', { id: (account ?? record).slice(-6) });
