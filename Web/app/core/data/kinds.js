// The kinds of entries in a scheme's shape.

/** The kinds that may be directly in a record. Copies of earlier records are taken over, not added. */
export const rootKinds = scheme => scheme.shape.kinds.filter(kind => !kind.parent && !kind.copies);
export const kindOf = (scheme, name) => scheme.shape.kinds.find(kind => kind.kind === name);
export const childKinds = (scheme, name) => scheme.shape.kinds.filter(kind => kind.parent === name && !kind.copies);
