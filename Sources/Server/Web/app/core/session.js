// Who uses the page. The session itself is a cookie that no script can read; what is kept here is the account's face.

export function createSession({ http, store, onChange }) {
  const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('gradecast.session') : null;
  if (tabs) tabs.onmessage = () => start();

  function become(account) {
    const before = store.state.account?.id;
    store.set({ account });
    if (account?.id !== before || before === undefined) onChange(account);
  }

  async function start() {
    try {
      const { body } = await http.get('/v1/accounts/me');
      become(body.account ?? body);
    } catch (error) {
      if (error.status === 401) become(null);
      else throw error;
    }
  }

  async function enter(path, body) {
    const { body: answer } = await http.post(path, { ...body, cookie: true });
    become(answer.account);
    tabs?.postMessage('changed');
    start().catch(() => {});
  }

  return {
    start,
    signIn: (login, password) => enter('/v1/sessions', { login, password }),
    signUp: details => enter('/v1/accounts', details),
    async signOut() {
      await http.delete('/v1/sessions/current');
      become(null);
      tabs?.postMessage('changed');
    },
    /** The server no longer knows the session. */
    ended() {
      if (store.state.account) become(null);
    },
    replace: account => store.set({ account }),
    gone() {
      become(null);
      tabs?.postMessage('changed');
    },
  };
}

/** The roles of an account: `[{institution, role}]`, however short the server writes them. */
export function roles(account) {
  const list = account?.roles ?? account?.memberships ?? (account?.role ? [account.role] : []);
  return list.map(item => (typeof item === 'string' ? { institution: null, role: item } : item));
}

export const isAdministrator = account => roles(account).some(item => item.role === 'administrator');

export const isStaff = account =>
  roles(account).some(item => ['administrator', 'registrar', 'teacher'].includes(item.role));

export const isRegistrar = account => roles(account).some(item => ['administrator', 'registrar'].includes(item.role));
