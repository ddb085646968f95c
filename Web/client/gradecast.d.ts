/** A version of a document: `e` is the epoch, which changes with the store; `v` counts changes within it. */
export interface Place {
  e: string;
  v: number;
}

/** The connection as a person should be told of it. */
export interface Status {
  /** `idle`: nothing is followed. `live`: all that is followed is current. `asOf`: it was current at `asOf`, and the
   *  client connects again. `connecting`: there has been no connection yet. `offline`: there is no network, or the
   *  server turned the client away. */
  kind: 'idle' | 'live' | 'asOf' | 'connecting' | 'offline';
  /** When everything that is followed was current for the last time. */
  asOf?: Date | null;
  /** The close code with which the server turned the client away, such as 4503 when its session has ended. The
   *  client does not connect again by itself. */
  refused?: number;
}

/** An answer of the server. */
export interface Answer<Body = any> {
  status: number;
  /** What the answer says; `null` if it is empty. */
  body: Body;
  /** The version that the answer names in `ETag`. */
  place: Place | null;
  /** The path of the next page of a list; `null` on the last one. */
  next: string | null;
  /** When the server answered, in milliseconds since 1970, by its own clock. */
  at: number;
}

export interface RequestOptions {
  /** What is sent as JSON; a `Blob` is sent as it is. */
  body?: unknown;
  /** The version on which a change was made (`If-Match`). */
  match?: Place;
  /** The same text for each attempt of one change (`Idempotency-Key`). The server remembers it for a day. */
  key?: string;
  /** Further header fields. */
  headers?: Record<string, string>;
  /** What to make of the answer's body. */
  form?: 'json' | 'text' | 'blob' | 'arrayBuffer';
  signal?: AbortSignal;
}

/** The server refused a request. */
export class Problem extends Error {
  /** The HTTP status. */
  status: number;
  /** What was wrong, as a word that does not change, such as `version_conflict`; `unknown` if something on the way
   *  answered in the server's place. `message` says it in the language of the client. */
  code: string;
  /** What was wrong with single members of what was sent. */
  faults: { pointer?: string; code: string; message: string }[];
  /** What `signInWithCode` needs, if the server asks for a second factor. */
  challenge: string | null;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** The seconds to wait before that; 0 if the server does not say. */
  retryAfter: number;
}

/** A request that had no answer. It may have arrived or not. */
export class Unreachable extends Error {}

/** A change of a record, as `POST /v1/records/{id}/changes` takes it. */
export type Change =
  | { op: 'add'; kind: string; parent?: string; fields?: Record<string, unknown>; position?: number }
  | { op: 'patch'; entry: string; fields: Record<string, unknown> }
  | { op: 'delete'; entry: string }
  | { op: 'fields'; fields: Record<string, unknown> };

/** A change that is not in its record yet. */
export interface Edit {
  id: string;
  /** The account of its author. */
  account: string;
  record: string;
  ops: Change[];
  /** The values that its author saw before the change, by entry and field; those of the record itself under `''`. */
  base: Record<string, Record<string, unknown>>;
  /** When it was made, in RFC 3339. */
  at: string;
  /** `sending` and `waiting`: it is sent without anybody's help. `conflict`: somebody else has changed the same
   *  value, and its author decides. `refused`: the server refused it. `locked`: it cannot be read, because the
   *  server has another key now. */
  state: 'sending' | 'waiting' | 'conflict' | 'refused' | 'locked';
  /** Why the server refused it. */
  faults?: Problem['faults'];
  /** The same in words. */
  detail?: string | null;
  /** It may have been entered long ago: the server no longer knows. */
  isUnsure?: boolean;
}

/** What became of a change: the server's answer if it was entered, `queued` if it waits to be sent, `conflict` if
 *  somebody else has changed the same value. */
export interface Outcome {
  answer?: any;
  queued?: true;
  conflict?: true;
}

/** Where edits are kept until they are entered. One shelf holds the edits of one account. */
export interface Shelf {
  list(): Promise<Edit[]>;
  /** Keeps an edit; throws if there is no room. */
  put(edit: Edit): Promise<void>;
  /** Keeps a new state of an edit, unless it has been removed. */
  replace(edit: Edit): Promise<void>;
  remove(id: string): void;
}

export interface Options {
  /** A session's token or an API token. Without one, a page of the server itself acts by its session's cookie, and
   *  others are guests. */
  token?: string | null;
  /** The language of the server's messages, such as `fr`. By default that of the browser or of the account. */
  language?: string | null;
  /** The name and version of the program, for the server's log. */
  client?: string;
}

/** A client of one server, for one person at a time. */
export class Gradecast {
  /** `server` is its address, such as `https://grades.example.edu`. Nothing is sent yet. */
  constructor(server: string, options?: Options);

  /** The token of the session, to be kept by the program; `null` for guests, and where a cookie signs in. */
  readonly token: string | null;
  /** Signs in by password and acts with the new session from now on. Throws a `Problem` with the code
   *  `second_factor_required` and a `challenge` if the account has a second factor. */
  signIn(login: string, password: string): Promise<{ account: any; session: any; device?: string }>;
  /** Completes such a sign-in with a code of the authenticator app, or a recovery code. */
  signInWithCode(challenge: string, code: string): Promise<{ account: any; session: any; device?: string }>;
  /** Ends the session. Edits that wait stay on their shelf. */
  signOut(): Promise<void>;

  /** Sends a request of the API. Throws a `Problem` if the server refuses it, and an `Unreachable` if no answer
   *  came. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The same for reading. */
  get(path: string, options?: RequestOptions): Promise<Answer>;

  /** The connection as it is now. */
  readonly status: Status;
  /** Calls `listener` when the connection changes, until the returned function is called. */
  onStatus(listener: (status: Status) => void): () => void;

  /** Calls `onDocument` with the newest document of a topic, such as `standing/{record}`: as soon as there is one,
   *  and after each change, over lost connections and restarts of the server, until the returned function is called.
   *  Parts of a document that have not changed are the same objects as before; do not change them. `onEnd` is called
   *  once, with `revoked`, `gone`, `forbidden` or another code of the protocol, when the topic can no longer be
   *  read. */
  follow(
    topic: string,
    onDocument: (document: any, version: number) => void,
    onEnd?: (why: string) => void,
  ): () => void;
  /** The same for a collection, such as `grid/{class}`: `rows` has all rows by id, in the server's order, and
   *  `changed` the ids of those that are new, changed or gone. */
  followRows(
    topic: string,
    onRows: (shown: { rows: Map<string, any>; changed: Set<string>; structure: number; version: number }) => void,
    onEnd?: (why: string) => void,
  ): Promise<() => void>;

  /** Begins to edit as the account of the session, with the edits that wait on `shelf`: by default in the browser's
   *  storage, sealed so that only their author can read them; in memory where there is no such storage. Returns the
   *  account. Needs a session; programs with an API token send their changes by `request`. */
  edit(options?: { shelf?: Shelf | null }): Promise<any>;
  /** Changes a record whose topic `record/{id}` is followed. The change is kept before it is sent, and sent again
   *  until the server has entered it once. Throws the `Problem` if the server refuses it while its caller waits, and
   *  then forgets it. */
  change(record: string, changes: Change[]): Promise<Outcome>;
  /** A record that is followed, with the edits that wait: what its author expects to see. `null` before its first
   *  document. */
  shown(record: string): any;
  /** The edits that are not in their records yet, oldest first. */
  readonly edits: Edit[];
  /** Calls `listener` when one of them changes, until the returned function is called. */
  onEdits(listener: (edits: Edit[]) => void): () => void;
  /** Enters an edit after all: over the other person's values in a conflict, or once more after a refusal. */
  insist(edit: string): Promise<void>;
  /** Gives an edit up. */
  discard(edit: string): Promise<void>;

  /** Ends the connection, all timers, and what is followed. Edits stay on their shelf. */
  close(): void;
}
