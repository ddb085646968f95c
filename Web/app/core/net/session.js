// The account that uses the page. The session itself is a cookie that no script can read.

import { forgetCalculations } from '../storage/kept.js';

/** `prepare(session)` loads what an account needs before anything is shown for it; `session` is the server's answer
 *  `{account, sealingKey, memberships, invitations}`. `onChange(account, prepared, session)` is called when another
 *  account uses the page. */
export function createSession({ http, store, prepare, onChange }) {
  // `session` is a request that was sent before this module was loaded; on `tabs`, tabs tell each other that somebody
  // signs in or out.
  const { early = { session: null, tabs: null } } = globalThis;
  const { tabs } = early;
  if (tabs) {
    tabs.onmessage = () => {
      early.session = null;
      start().catch(() => {});
    };
  }
  // The latest request counts, even if its answer is not the last to arrive.
  let turn = 0;
  // Whether the rights of the same account have changed.
  let isOutdated = false;

  async function become(session, now) {
    const account = session?.account ?? null;
    const before = store.state.account;
    const isNew = before === undefined || account?.id !== before?.id;
    const isChanged = isOutdated || isNew || owes(account) !== owes(before);
    const mayBegin = account && !owes(account) && (isNew || owes(before));
    const prepared = mayBegin ? await prepare(session) : null;
    if (now !== turn) return;
    isOutdated = false;
    store.set({ account });
    if (isChanged) await onChange(account, prepared, session);
  }

  async function start() {
    const now = (turn += 1);
    const { session: first } = early;
    early.session = null;
    try {
      const { body } = await http.get('/v1/session', { as: null, early: first });
      await become(body, now);
    } catch (error) {
      if (error.status === 401) await become(null, now);
      else throw error;
    }
  }

  async function enter(path, body) {
    const { body: answer } = await http.post(path, { ...body, cookie: true }, { as: null });
    tabs?.postMessage('changed');
    await start();
    return answer;
  }

  return {
    start,
    signIn: (login, password) => enter('/v1/sessions', { login, password }),
    signInWithPasskey: assertion => enter('/v1/sessions/passkey', assertion),
    /** Completes a sign-in by password with a code of the second factor. */
    signInWithCode: (challenge, code) => enter('/v1/sessions/second-factor', { challenge, code }),
    /** Signs in with what a provider's page sent; the answer may name the page to show. */
    signInWith: (provider, reply) => enter(`/v1/sessions/${provider}`, reply),
    signUp: (details, path = '/v1/accounts') => enter(path, details),
    /** Call this when the rights of the account have changed. */
    refresh() {
      isOutdated = true;
      return start();
    },
    async signOut() {
      await http.delete('/v1/sessions/current');
      await this.gone();
    },
    /** Call this when the session is not that of account `id`: somebody else may have signed in. */
    ended(id) {
      if (store.state.account?.id === id) start().catch(() => {});
    },
    replace: account => store.set({ account }),
    async gone() {
      forgetCalculations();
      tabs?.postMessage('changed');
      await become(null, (turn += 1));
    },
  };
}

const owes = account => Boolean(account?.enrolment);

/** Whether a second factor has to be shown or set up first. */
export const isUnfinished = state => owes(state.account);

/** Decides only what the page's navigation offers; the server checks every request. */
export const isAdministrator = state => state.account?.role === 'administrator';

export const isRegistrar = state =>
  isAdministrator(state) || state.memberships.some(membership => membership.role === 'registrar');

/** Whether the account has a role other than student in an institution. */
export const teaches = state => state.memberships.some(({ role }) => role !== 'student');

export const isStaff = state => isRegistrar(state)
  || state.memberships.some(membership => membership.role === 'teacher');

/** Whether the account is a registrar of the program's institution. */
export const registers = (state, program) => state.memberships.some(membership =>
  membership.institution === program.institution && membership.role === 'registrar');

/** Whether the account keeps other people's records in the program. */
export const keeps = (state, program) => registers(state, program) || state.memberships.some(membership =>
  membership.institution === program.institution && membership.role === 'teacher'
    && membership.programs.includes(program.id));
