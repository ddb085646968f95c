// Passkeys through the browser: gets the server's options, passes them to the authenticator, and returns its response.

const bytes = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));
const text = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const REMEMBERED = 'gradecast.passkey';

/**
 * Whether passkeys of this server can be used here: its offer of ways to sign in names them, the browser supports them,
 * and the address is right.
 */
export function offersPasskeys(offer) {
  const party = window.PublicKeyCredential && offer?.passkeys?.rpId;
  return Boolean(party) && (location.hostname === party || location.hostname.endsWith(`.${party}`));
}

/** Whether a passkey was made or used on this device; this is not a secret. */
export const hasPasskey = () => localStorage.getItem(REMEMBERED) === 'yes';
/** Call this if an account that is signed in here no longer has a passkey. */
export const forgetPasskey = () => localStorage.removeItem(REMEMBERED);
const remember = () => localStorage.setItem(REMEMBERED, 'yes');

/** Makes a passkey and returns it as the server expects it; null if the user cancels. */
export async function makePasskey(http) {
  const { body } = await http.post('/v1/passkeys/options', { purpose: 'register' });
  const publicKey = {
    ...body,
    challenge: bytes(body.challenge),
    user: { ...body.user, id: bytes(body.user.id) },
    excludeCredentials: body.excludeCredentials.map(item => ({ ...item, id: bytes(item.id) })),
  };
  const made = await asked(() => navigator.credentials.create({ publicKey }));
  if (!made) return null;
  remember();
  return {
    clientDataJSON: text(made.response.clientDataJSON), attestationObject: text(made.response.attestationObject),
  };
}

/** Uses a passkey to sign in or as a proof and returns what the server expects; null if the user cancels. */
export async function usePasskey(http, purpose) {
  const { body } = await http.post('/v1/passkeys/options', { purpose });
  const used = await asked(() =>
    navigator.credentials.get({ publicKey: { ...body, challenge: bytes(body.challenge) } }));
  if (!used) return null;
  remember();
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
  const answer = {
    id: text(used.rawId), clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData),
    signature: text(signature),
  };
  return userHandle ? { ...answer, userHandle: text(userHandle) } : answer;
}

// Browsers do not distinguish a person who cancels from an authenticator that has no passkey.
async function asked(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null;
    throw error;
  }
}
