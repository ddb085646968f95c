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

/** The entry and all its ancestors, outermost first. */
export function pathTo(entries, id) {
  for (const entry of entries) {
    if (entry.id === id) return [entry];
    const below = pathTo(entry.children ?? [], id);
    if (below.length > 0) return [entry, ...below];
  }
  return [];
}

/** The place of an entry in a request that carries the whole tree: "/entries/2/children/0". */
export function pointerTo(entries, id, prefix = '/entries') {
  for (const [index, entry] of entries.entries()) {
    const here = `${prefix}/${index}`;
    if (entry.id === id) return here;
    const below = pointerTo(entry.children ?? [], id, `${here}/children`);
    if (below) return below;
  }
  return null;
}

/** A copy of the document `{fields, entries}` after `ops`; `newId()` gives the ids of added entries without a `ref`. */
export function applied(document, ops, newId) {
  const copy = structuredClone({ fields: document.fields ?? {}, entries: document.entries ?? [] });
  for (const op of ops) perform(copy, op, newId);
  renumber(copy.entries);
  return copy;
}

/** The place of an entry: `{entry, parent, index}`, where `parent` is an id, or null at the top. */
export function placeOf(entries, id) {
  const path = pathTo(entries, id);
  const [parent, entry] = [path.at(-2) ?? null, path.at(-1)];
  return { entry, parent: parent?.id ?? null, index: (parent?.children ?? entries).indexOf(entry) };
}

/** A copy of the document with a deleted entry back in its place, or without it if its parent is gone. */
export function restored(document, { entry, parent, index }) {
  const copy = structuredClone({ fields: document.fields ?? {}, entries: document.entries ?? [] });
  const siblings = parent === null ? copy.entries : find(copy.entries, parent)?.children;
  siblings?.splice(index, 0, structuredClone(entry));
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
  // A result replaces the adjustment for missing work.
  if (entry.adjust && Object.keys(op.fields ?? {}).length > 0) {
    entry.adjust = entry.adjust.filter(({ why }) => why !== 'missing');
  }
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

/** All entries of a tree by id. */
export function indexOf(entries, into = new Map()) {
  for (const entry of entries) {
    into.set(entry.id, entry);
    indexOf(entry.children ?? [], into);
  }
  return into;
}

/** The ids of the entries that are new in `after` or whose own values differ. Entries that both trees share are
 *  skipped. */
export function changedEntries(before, after) {
  if (before === after) return [];
  const old = indexOf(before);
  const changed = [];
  const look = entries => {
    for (const entry of entries) {
      const was = old.get(entry.id);
      if (was === entry) continue;
      if (!was || own(was) !== own(entry)) changed.push(entry.id);
      look(entry.children ?? []);
    }
  };
  look(after);
  return changed;
}

const own = entry => JSON.stringify([entry.fields, entry.status ?? null, entry.hidden ?? false]);

/** The tree in the form of `POST /v1/evaluate`. An entry that represents a row of a class has no children there. */
export function toWire(entries) {
  return entries.map(({ id, kind, status, adjust, given, class: of, enrolment, fields, children }) => ({
    id,
    kind,
    ...(status ? { status } : {}),
    ...(adjust ? { adjust } : {}),
    ...(given ? { given } : {}),
    ...(of ? { class: of, enrolment } : {}),
    fields: present(fields),
    children: of ? [] : toWire(children ?? []),
  }));
}

/** A record in the form of `POST /v1/evaluate`; `classes` are those that `GET …/assembled` returns with it. */
export function recordToWire({ fields, given, entries, classes = [] }) {
  const untaken = new Map(classes.filter(({ complete }) => !complete).map(place => [place.entry, place]));
  const linked = entries.map(entry => {
    const place = untaken.get(entry.id);
    return place
      ? {
        ...entry, class: place.class, enrolment: place.enrolment,
        given: { ...place.given, outcomes: entry.given?.outcomes },
      }
      : entry;
  });
  return { fields: present(fields ?? {}), ...(given ? { given } : {}), entries: toWire(linked) };
}

/** The fields that are not null: leaving out an optional field means that it has no value. */
export const present = fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
