// Schemes, institutions and programs change rarely, so each is requested once and cached.

export function createCatalogue(http) {
  const schemes = new Map();
  const programs = new Map();

  const once = (cache, key, load) => {
    if (!cache.has(key)) cache.set(key, load().catch(error => (cache.delete(key), Promise.reject(error))));
    return cache.get(key);
  };

  // Reads all pages of a list.
  const all = async path => {
    const items = [];
    for (let next = `${path}?limit=200`; next;) {
      const answer = await http.get(next);
      items.push(...answer.body.items);
      next = answer.next;
    }
    return items;
  };

  return {
    schemes: () => once(schemes, '', async () => (await http.get('/v1/schemes')).body.items),
    scheme: id => once(schemes, id, async () => {
      const { body } = await http.get(`/v1/schemes/${encodeURIComponent(id)}`);
      return body.scheme?.shape ? body.scheme : body;
    }),
    program: id => once(programs, id, async () => (await http.get(`/v1/programs/${id}`)).body.program),
    /** Keeps a program and a scheme that came with another answer. */
    learn(program, scheme) {
      schemes.set(scheme.id, Promise.resolve(scheme));
      programs.set(program.id, Promise.resolve(program));
    },
    /** Whether nothing has been requested yet. */
    get isNew() {
      return programs.size === 0;
    },
    forgetProgram: id => programs.delete(id),
    /** The operations that this server offers, such as "GET /v1/backup": the page offers no feature
     *  that the server lacks. */
    abilities: () => once(programs, 'abilities', async () => {
      const { paths } = (await http.get('/openapi.json')).body;
      return new Set(Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`)));
    }),
    institutions: () => all('/v1/institutions'),
    programs: institution => all(`/v1/institutions/${institution}/programs`),
  };
}
