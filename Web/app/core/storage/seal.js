// Encrypts texts for one account. The key comes from the server, is held only in memory and cannot be exported, so on a
// shared machine only the author can open what was stored.

const plain = new TextEncoder();

/** The seal of an account from the server's `key` (base64url); `null` if the browser offers no cryptography, as over
 *  plain HTTP from another machine. */
export async function createSeal(key) {
  if (!globalThis.crypto?.subtle) return null;
  const secret = await crypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const terms = (iv, label) => ({ name: 'AES-GCM', iv, additionalData: plain.encode(label) });
  return {
    /** Seals `value` as a text that is bound to `label`. */
    async close(value, label) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(terms(iv, label), secret, plain.encode(JSON.stringify(value)));
      return `${textOf(iv)}.${textOf(new Uint8Array(sealed))}`;
    },
    /** The value in a sealed text; `null` if it was sealed with another key, or changed. */
    async open(text, label) {
      try {
        const [iv, sealed] = text.split('.').map(bytesOf);
        return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(terms(iv, label), secret, sealed)));
      } catch {
        return null;
      }
    },
  };
}

const bytesOf = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), byte => byte.charCodeAt(0));
const textOf = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
