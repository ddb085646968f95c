// Pure functions over a record's tree of entries.

export function* walk(entries, parent = null) {
  for (const entry of entries) {
    yield { entry, parent };
    yield* walk(entry.children ?? [], entry);
  }
}

export function find(entries, id) {
  for (const { entry } of walk(entries)) if (entry.id === id) return entry;
  return null;
}

/** The entry and everything it stands in, outermost first. */
export function pathTo(entries, id) {
  for (const entry of entries) {
    if (entry.id === id) return [entry];
    const below = pathTo(entry.children ?? [], id);
    if (below.length > 0) return [entry, ...below];
  }
  return [];
}

/** Where an entry stands in the request that carries the whole tree: "/entries/2/children/0". */
export function pointerTo(entries, id, prefix = '/entries') {
  for (const [index, entry] of entries.entries()) {
    const here = `${prefix}/${index}`;
    if (entry.id === id) return here;
    const below = pointerTo(entry.children ?? [], id, `${here}/children`);
    if (below) return below;
  }
  return null;
}

/** A copy of the document `{fields, entries}` after `ops`; `newId` names what is added without a `ref`. */
export function applied(document, ops, newId) {
  const copy = structuredClone({ fields: document.fields ?? {}, entries: document.entries ?? [] });
  for (const op of ops) perform(copy, op, newId);
  renumber(copy.entries);
  return copy;
}

function perform(copy, op, newId) {
  switch (op.op) {
    case 'add': {
      const siblings = op.parent ? (find(copy.entries, op.parent)?.children ?? null) : copy.entries;
      siblings?.push(grown(op, newId));
      break;
    }
    case 'patch': {
      const entry = find(copy.entries, op.entry);
      if (entry) merge(entry, op);
      break;
    }
    case 'delete':
      copy.entries = without(copy.entries, entry => entry.id === op.entry);
      break;
    case 'fields':
      Object.assign(copy.fields, op.fields);
      break;
  }
}

function grown(node, newId) {
  return {
    id: node.ref ?? newId(),
    kind: node.kind,
    fields: { ...node.fields },
    children: (node.children ?? []).map(child => grown(child, newId)),
  };
}

function merge(entry, op) {
  entry.fields = { ...entry.fields, ...op.fields };
  if ('status' in op) entry.status = op.status;
  if ('hidden' in op) entry.hidden = op.hidden;
}

function without(entries, drops) {
  return entries
    .filter(entry => !drops(entry))
    .map(entry => ({ ...entry, children: without(entry.children ?? [], drops) }));
}

function renumber(entries) {
  for (const [index, entry] of entries.entries()) {
    entry.position = index + 1;
    renumber(entry.children ?? []);
  }
}

/** The ids of the entries that are new in `after` or whose own values differ. */
export function changedEntries(before, after) {
  const old = new Map([...walk(before)].map(({ entry }) => [entry.id, own(entry)]));
  return [...walk(after)].filter(({ entry }) => old.get(entry.id) !== own(entry)).map(({ entry }) => entry.id);
}

const own = entry => JSON.stringify([entry.fields, entry.status ?? null, entry.hidden ?? false]);

/** The tree as `POST /v1/evaluate` takes it. */
export function toWire(entries) {
  return entries.map(({ id, kind, status, fields, children }) => ({
    id,
    kind,
    ...(status ? { status } : {}),
    fields: present(fields),
    children: toWire(children ?? []),
  }));
}

const present = fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The operations that turn the document `before` into `after`. New entries come one by one, each under its own id
 *  as `ref`, so that the answer can name every one of them. */
export function difference(before, after) {
  const ops = [];
  const fields = changes(before.fields ?? {}, after.fields ?? {});
  if (fields) ops.push({ op: 'fields', fields });
  const now = new Set([...walk(after.entries)].map(({ entry }) => entry.id));
  for (const { entry, parent } of walk(before.entries)) {
    if (!now.has(entry.id) && (!parent || now.has(parent.id))) ops.push({ op: 'delete', entry: entry.id });
  }
  const old = new Map([...walk(before.entries)].map(({ entry }) => [entry.id, entry]));
  for (const { entry, parent } of walk(after.entries)) {
    const known = old.get(entry.id);
    if (!known) {
      const place = parent ? { parent: parent.id } : {};
      ops.push({ op: 'add', ref: entry.id, kind: entry.kind, ...place, fields: present(entry.fields) });
      continue;
    }
    const patch = changes(known.fields, entry.fields);
    const status = (known.status ?? null) === (entry.status ?? null) ? {} : { status: entry.status };
    if (patch || 'status' in status) ops.push({ op: 'patch', entry: entry.id, fields: patch ?? {}, ...status });
  }
  return ops;
}

function changes(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const moved = [...names].filter(name => (before[name] ?? null) !== (after[name] ?? null));
  return moved.length > 0 ? Object.fromEntries(moved.map(name => [name, after[name] ?? null])) : null;
}
