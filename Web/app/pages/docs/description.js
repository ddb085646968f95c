// The server's description of its API (OpenAPI) in the form in which the page of the API shows it. It draws nothing.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of a description in groups, `[{name, about, operations}]`, as the description orders them. */
export function groupsOf({ tags, paths }) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter(method => methods[method]).map(method => operationOf(path, method, methods[method])));
  return tags.map(({ name, description }) =>
    ({ name, about: description, operations: all.filter(({ tag }) => tag === name) }))
    .filter(({ operations }) => operations.length > 0);
}

/**
 * `{id, method, path, tag, summary, access, scope, parameters, body, answers}`; `body` is `{type, schema, example}`.
 */
const operationOf = (path, method, described) => ({
  id: described.operationId, method: method.toUpperCase(), path, tag: described.tags[0], summary: described.summary,
  access: described['x-access'], scope: described['x-scope'], parameters: described.parameters ?? [],
  body: contentOf(described.requestBody), answers: Object.entries(described.responses).map(([status, answer]) => ({
    status, about: answer.description, headers: answer.headers ?? {}, codes: answer['x-codes'] ?? [],
    content: contentOf(answer),
  })),
});

// Of several forms the first one is shown; `types` names all of them.
function contentOf(described) {
  const types = Object.keys(described?.content ?? {});
  if (types.length === 0) return null;
  const { schema = null, example } = described.content[types[0]];
  return { type: types[0], types, schema, example };
}

/** Whether each word of a text is in the path, the name or the summary of an operation. */
export function fits({ id, method, path, summary }, text) {
  const whole = `${method} ${path} ${id} ${summary}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every(word => whole.includes(word));
}

const nameOf = schema => /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1] ?? null;

/** The schema that a reference names, with that name; any other schema as it is, without a name. */
export function resolved(schema, description) {
  const name = nameOf(schema);
  return name ? { name, schema: description.components.schemas[name] ?? {} } : { name: null, schema: schema ?? {} };
}

/** What a value may be, such as "text", "list of EntryInput" or "integer 1…100"; `words` names the types. */
export function typeText(schema, words) {
  const name = nameOf(schema);
  if (name) return name;
  if (schema?.oneOf) return schema.oneOf.map(one => typeText(one, words)).join(' | ');
  if (schema?.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const types = [schema?.type ?? []].flat();
  if (types.length === 0) return words.any;
  return types.map(type =>
    (type === 'array'
      ? `${words.array} ${typeText(schema.items, words)}`
      : words[type] + boundsText(schema, type))).join(' | ');
}

function boundsText({ minimum, maximum, minLength, maxLength, format }, type) {
  if (type === 'string' && format) return ` (${format})`;
  const [least, most] = type === 'string' ? [minLength, maxLength] : [minimum, maximum];
  return ['string', 'integer', 'number'].includes(type) && (least !== undefined || most !== undefined)
    ? ` ${least ?? ''}…${most ?? ''}`
    : '';
}

/** The members of the objects of a schema, `[{name, schema, isRequired}]`; those of a list are those of its items. The
 *  values of a map, whose names the schema does not tell, are named `*`. */
export function membersOf(schema, description, within = []) {
  const { name, schema: own } = resolved(schema, description);
  // A list may contain lists of its own kind.
  if (name && within.includes(name)) return [];
  const inner = one => membersOf(one, description, name ? [...within, name] : within);
  if (own.items) return inner(own.items);
  if (own.oneOf) return own.oneOf.flatMap(inner);
  const members = Object.entries(own.properties ?? {})
    .map(([member, of]) => ({ name: member, schema: of, isRequired: own.required?.includes(member) ?? false }));
  return typeof own.additionalProperties === 'object'
    ? [...members, { name: '*', schema: own.additionalProperties, isRequired: false }]
    : members;
}

/**
 * The request of an operation, `{method, url, headers, body}`, for `values`, by `"in name"` of the parameter and by
 * `"body"`, a text or a file; `lacks` is the name of a parameter of the path without a value that can stand there, else
 * null.
 */
export function requestOf({ method, path, parameters, body }, values) {
  const valueOf = ({ in: place, name }) => (values[`${place} ${name}`] ?? '').trim();
  const of = place => parameters.filter(parameter => parameter.in === place);
  const query = new URLSearchParams(of('query').filter(valueOf).map(parameter => [parameter.name, valueOf(parameter)]))
    .toString();
  const sent = !body ? '' : values.body instanceof Blob ? values.body : (values.body ?? '').trim();
  return {
    method,
    url: path.replace(/\{(\w+)\}/g,
      (_, name) => encodeURIComponent(valueOf({ in: 'path', name }))) + (query && `?${query}`),
    headers: Object.fromEntries([...of('header').filter(valueOf).map(parameter => [parameter.name, valueOf(parameter)]),
      ...(sent ? [['Content-Type', sent.type || body.type]] : [])]),
    body: sent || null,
    // A browser takes dots for a way to another path.
    lacks: of('path').find(parameter => ['', '.', '..'].includes(valueOf(parameter)))?.name ?? null,
  };
}

/** A request as a command of curl, for somebody with an API token in `TOKEN`. */
export function curlOf({ method, url, headers, body }, origin, isOpen) {
  const sent = body instanceof Blob ? `--data-binary ${quoted(`@${body.name}`)}` : body && `--data-raw ${quoted(body)}`;
  const parts = [
    'curl', method !== 'GET' && `-X ${method}`, !isOpen && '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(name + COLON + value)}`), sent, quoted(origin + url),
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

// That of HTTP, the same in every language.
const COLON = ':\u0020';
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
