// Schemes, institutions and programs change rarely: each is asked for once and remembered.

export function createCatalogue(http) {
  const schemes = new Map();
  const programs = new Map();

  const once = (cache, key, load) => {
    if (!cache.has(key)) cache.set(key, load().catch(error => (cache.delete(key), Promise.reject(error))));
    return cache.get(key);
  };

  return {
    schemes: () => once(schemes, '', async () => (await http.get('/v1/schemes')).body.items),
    scheme: id => once(schemes, id, async () => {
      const { body } = await http.get(`/v1/schemes/${encodeURIComponent(id)}`);
      return body.scheme?.shape ? body.scheme : body;
    }),
    program: id => once(programs, id, async () => (await http.get(`/v1/programs/${id}`)).body.program),
    forgetProgram: id => programs.delete(id),
    async institutions() {
      return (await http.get('/v1/institutions')).body.items;
    },
    async programs(institution) {
      return (await http.get(`/v1/institutions/${institution}/programs`)).body.items;
    },
  };
}

/** The kinds of a scheme's shape that may stand directly in a record. */
export const rootKinds = scheme => scheme.shape.kinds.filter(kind => !kind.parent);
export const kindOf = (scheme, name) => scheme.shape.kinds.find(kind => kind.kind === name);
export const childKinds = (scheme, name) => scheme.shape.kinds.filter(kind => kind.parent === name);
