// The names of an institution's members, and of the students of listed records.

import { t } from '../../core/text/i18n.js';

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

/** Whose record a line is about. A record outlives the account of its student. */
export const studentName = ({ displayName }) => displayName ?? t('program.noStudent');
