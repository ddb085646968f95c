// Calls the server's HTTP API. A refusal becomes a `Problem` with its code and faults; a request that never arrived
// becomes an `Unreachable`.

export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body?.title || body?.detail || `HTTP ${status}`);
    this.status = status;
    this.worded = Boolean(body?.title);
    /** Whether the server itself answered, and not something on the way to it. */
    this.known = Boolean(body?.code);
    this.code = body?.code ?? 'unknown';
    this.faults = body?.faults ?? [];
    this.current = body?.current ?? null;
    /** What a sign-in sends together with the code of its second factor. */
    this.challenge = body?.challenge ?? null;
    /** The page to return to after the sign-in, if any. */
    this.returnTo = body?.returnTo ?? null;
    /** How the person can prove who they are, if the server asks for that. */
    this.ways = body?.ways ?? [];
    /** The providers that can prove it, if that is one of the ways. */
    this.providers = body?.providers ?? [];
    this.retryable = body?.retryable ?? false;
    this.retryAfter = retryAfter;
  }
}

export class Unreachable extends Error {}

/** `"k3.44"` as `{e: "k3", v: 44}`. */
export function parseTag(text) {
  const match = /^"(.+)\.(\d+)"$/.exec(text ?? '');
  return match ? { e: match[1], v: Number(match[2]) } : null;
}

export const tag = place => `"${place.e}.${place.v}"`;

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Every request names the account for which the page acts, `account()`: another tab may have signed in as somebody
 *  else, and `onSignedOut(id)` is then called. With `as`, a request names another account, or none if it is `null`.
 *
 *  If the server demands a proof, `prove({ways, providers})` asks the user for it, and the request is repeated if it
 *  returns true. `onUnfinished()` is called if a second factor has to be set up first.
 *
 *  Messages of the server come in `language()`. Requests go to `server`, by default the page's own, with the token
 *  `token()` if it has one, otherwise with the cookie of the page's session. */
export function createHTTP({
  account, onSignedOut, onUnfinished, prove, language = () => null, server = '', token = () => null,
}) {
  async function request(method, path, options) {
    try {
      return await send(method, path, options);
    } catch (error) {
      if (!(await mayRepeat(error))) throw error;
      return send(method, path, options);
    }
  }

  async function mayRepeat({ code, ways, providers }) {
    if (code === 'step_up_required') return prove({ ways, providers });
    if (code !== 'enrolment_required') return false;
    if (ways.length > 0) return prove({ ways, providers });
    onUnfinished();
    return false;
  }

  // A sign-in has no `bearer`: a token that has ended would be refused in its place.
  // `early` is the response to the same request if it was sent before this module was loaded, or null.
  async function send(method, path,
    { body, match, key, headers = {}, signal, form = 'json', as = account(), bearer = token(), early = null } = {}) {
    const sent = { accept: form === 'json' ? 'application/json' : '*/*', ...headers };
    if (language()) sent['accept-language'] ??= language();
    if (bearer) sent.authorization = `Bearer ${bearer}`;
    if (as) sent['gradecast-account'] = as;
    if (match) sent['if-match'] = tag(match);
    if (key) sent['idempotency-key'] = key;
    let payload = body;
    if (body !== undefined && !(body instanceof Blob)) {
      sent['content-type'] ??= 'application/json';
      if (typeof body !== 'string') payload = JSON.stringify(body);
    }
    const known = await early;
    const response = known && !known.bodyUsed
      ? known
      : await arrived(fetch(server + path, {
        method, headers: sent, body: payload, signal, credentials: bearer ? 'omit' : 'same-origin',
      }));
    return read(response, form, as);
  }

  async function read(response, form, as) {
    if (!response.ok) {
      const problem = await response.json().catch(() => null);
      if (response.status === 401 && as && problem?.code !== 'step_up_required') onSignedOut(as);
      throw new Problem(response.status, problem, Number(response.headers.get('retry-after')) || 0);
    }
    const empty = response.status === 204 || response.headers.get('content-length') === '0';
    return {
      status: response.status,
      body: empty ? null : await arrived(response[form]()),
      place: parseTag(response.headers.get('etag')),
      next: nextPage(response.headers.get('link')),
      /** When the server answered, by its own clock. */
      at: Date.parse(response.headers.get('date') ?? ''),
    };
  }

  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body: body ?? {} }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  };
}

// A connection may break before the answer or in the middle of it: a body that cannot be read counts as not arrived.
async function arrived(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable(error.message);
  }
}

function nextPage(link) {
  const match = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? '');
  return match ? match[1] : null;
}
