// The scheme as a program uses it: if its rules are a document, the document determines its shape.

const known = new Map();
const described = body =>
  ({ shape: { fields: [], kinds: [] }, figures: [], outcomes: [], templates: [], messages: {}, ...body });

/** The description of a program's records, from the identifiers of its scheme and of the program. */
export async function schemeNamed(app, scheme, program) {
  const general = await app.catalogue.scheme(scheme);
  return general.document ? schemeOf(app, await app.catalogue.program(program)) : general;
}

/** The program of a class and its scheme, `{program, scheme}`, in one request, for a page that knows neither yet. */
export async function rulesOfClass({ catalogue, http }, id) {
  const { body } = await http.get(`/v1/classes/${encodeURIComponent(id)}/program`);
  const { program, scheme, description } = body;
  catalogue.learn(program, scheme);
  if (description && program.version) known.set(addressOf(program, program.version), described(description));
  return { program, scheme: await schemeOf({ catalogue, http }, program) };
}

const addressOf = (program, version) => `/v1/programs/${program.id}/description?version=${version}`;

/** The description of the program's records under a version; without a version, under the draft if that has no
 *  faults. */
export async function schemeOf({ catalogue, http }, program, version = program.version) {
  const general = await catalogue.scheme(program.scheme);
  if (!general.document) return general;
  const draft = `/v1/programs/${program.id}/description?draft`;
  if (!version) {
    return program.draft
      ? http.get(draft).then(({ body }) => described(body), () => described(general))
      : described(general);
  }
  const address = addressOf(program, version);
  if (!known.has(address)) known.set(address, described((await http.get(address)).body));
  return known.get(address);
}
