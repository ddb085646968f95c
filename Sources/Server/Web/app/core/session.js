// Who uses the page. The session itself is a cookie that no script can read; what is kept here is the account's face.

export function createSession({ http, store, onChange }) {
  const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('gradecast.session') : null;
  if (tabs) tabs.onmessage = () => start();

  async function become(account) {
    const before = store.state.account;
    store.set({ account });
    if (before === undefined || account?.id !== before?.id) await onChange(account);
  }

  async function start() {
    try {
      const { body } = await http.get('/v1/accounts/me');
      await become(body.account ?? body);
    } catch (error) {
      if (error.status === 401) await become(null);
      else throw error;
    }
  }

  async function enter(path, body) {
    const { body: answer } = await http.post(path, { ...body, cookie: true });
    await become(answer.account);
    tabs?.postMessage('changed');
  }

  return {
    start,
    signIn: (login, password) => enter('/v1/sessions', { login, password }),
    /** With what a provider's window sent. */
    signInWith: (provider, token) => enter(`/v1/sessions/${provider}`, { token }),
    signUp: (details, path = '/v1/accounts') => enter(path, details),
    /** Asks again who this is and what he or she may do. */
    async refresh() {
      await start();
      await onChange(store.state.account);
    },
    async signOut() {
      await http.delete('/v1/sessions/current');
      await become(null);
      tabs?.postMessage('changed');
    },
    /** The server no longer knows the session. */
    ended() {
      if (store.state.account) become(null);
    },
    replace: account => store.set({ account }),
    async gone() {
      await become(null);
      tabs?.postMessage('changed');
    },
  };
}

/** What the signed-in person may do, as far as the page's own navigation goes; the server decides every time. */
export const isAdministrator = state => state.account?.role === 'administrator';

export const isRegistrar = state =>
  isAdministrator(state) || state.memberships.some(membership => membership.role === 'registrar');

export const isStaff = state => isRegistrar(state) || state.memberships.some(membership => membership.role === 'teacher');

/** Whether the account is a registrar of the institution whose program it is. */
export const registers = (state, program) => state.memberships.some(membership =>
  membership.institution === program.institution && membership.role === 'registrar');

/** Whether the account keeps other people's records in the program. */
export const keeps = (state, program) => registers(state, program) || state.memberships.some(membership =>
  membership.institution === program.institution && membership.role === 'teacher' && membership.programs.includes(program.id));
