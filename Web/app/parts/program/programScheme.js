// The scheme as a program uses it: if its rules are a document, the document determines its shape.

const known = new Map();
const described = body => ({ shape: { fields: [], kinds: [] }, figures: [], outcomes: [], templates: [], messages: {}, ...body });

/** What is said of the records of a program of which only the identifiers are known, the scheme's and its own. */
export async function schemeNamed(app, scheme, program) {
  const general = await app.catalogue.scheme(scheme);
  return general.document ? schemeOf(app, await app.catalogue.program(program)) : general;
}

/** What is said of the program's records under a version; without one, under the draft, as far as that has no faults. */
export async function schemeOf({ catalogue, http }, program, version = program.version) {
  const general = await catalogue.scheme(program.scheme);
  if (!general.document) return general;
  const path = `/v1/programs/${program.id}/description`;
  if (!version) return program.draft ? http.get(`${path}?draft`).then(({ body }) => described(body), () => described(general)) : described(general);
  const address = `${path}?version=${version}`;
  if (!known.has(address)) known.set(address, described((await http.get(address)).body));
  return known.get(address);
}
