// Proves the user's identity with a provider. The provider asks in a separate window, which returns to this site and
// notifies first the server, then the waiting page. It uses a broadcast channel, because some providers cut the window
// off from its opener.

const ATTEMPT = 'gradecast.stepUp';
const channel = () => new BroadcastChannel(ATTEMPT);

/** The browser blocked the window. */
export class Blocked extends Error {}

/** The names of providers, as `[{id, title}]`. */
export async function titlesOf(app, ids) {
  const answer = await app.http.get('/v1/sign-in').catch(() => null);
  return ids.map(id => ({ id, title: answer?.body.providers.find(provider => provider.id === id)?.title ?? id }));
}

/** Has a provider ask the user; resolves once the session is proven. The window opens before anything is awaited, or
 *  the browser blocks it as an advertisement. */
export async function showWith(app, id) {
  const popup = window.open('', '_blank', 'popup,width=480,height=680');
  if (!popup) throw new Blocked();
  const word = channel();
  try {
    const { body } = await app.http.post(`/v1/sign-in/${encodeURIComponent(id)}`, { purpose: 'stepUp' });
    localStorage.setItem(ATTEMPT, body.attempt);
    const told = new Promise(resolve => {
      word.onmessage = ({ data }) => data === body.attempt && resolve();
    });
    popup.location.replace(body.location);
    await told;
  } catch (error) {
    popup.close();
    throw error;
  } finally {
    word.close();
  }
}

/** Whether a provider's answer belongs to a proof that a page of this browser waits for. */
export const isAwaited = attempt => Boolean(attempt) && localStorage.getItem(ATTEMPT) === attempt;

/** Tells the waiting page that the session is proven. */
export function tell(attempt) {
  localStorage.removeItem(ATTEMPT);
  const word = channel();
  word.postMessage(attempt);
  word.close();
}
