// Lets users begin a record of their own in an open program.

import { h, named } from '../../core/page/dom.js';
import { label } from '../../core/text/i18n.js';
import { newKey } from '../../core/net/http.js';
import { keeps } from '../../core/net/session.js';

/** The programs in which the user may begin a record, each with its `institutionTitle`. If only staff enter grades,
 *  they also begin the records. */
export async function openPrograms(app) {
  const institutions = await app.catalogue.institutions();
  const lists = await Promise.all(institutions.map(async institution =>
    (await app.catalogue.programs(institution.id)).filter(program => program.version)
      .map(program => ({ ...program, institutionTitle: institution.title }))));
  return lists.flat().filter(program => program.entry !== 'staff' || keeps(app.store.state, program));
}

/** Begins a record in a program, and opens it; `template` is its initial content, if any. One `key` begins one record,
 *  however often it is sent. */
export async function beginRecord(app, program, template = null, key = newKey()) {
  const { body } = await app.http.post('/v1/records', { program: program.id, ...(template && { template }) }, { key });
  app.go(`/records/${body.record.id}`);
}

/** The scheme of the class that visitors can try. */
export const SCHEME_TO_TRY = 'rose-hulman';

/** A first look at units and subjects needs some; in other schemes a record begins empty unless the user chooses
 *  otherwise. */
export const usualTemplate = program => (program.scheme === 'iut' ? 'sample' : null);

/** The name of a program with its scheme and institution. */
export const programName = (program, schemes) => h('span', { class: 'grow' },
  h('strong', null, named(program.title)),
  h('span', { class: 'muted' },
    label(schemes.get(program.scheme)?.title, program.scheme),
    ' · ',
    named(program.institutionTitle)));

/** The picture of a scheme. */
export const schemeImage = (scheme, size) => h('img', {
  src: `/app/img/scheme-${known(scheme)}.svg`, alt: '', width: size, height: size,
});

const known = id => (['chalkboard', 'rose-hulman', 'iut'].includes(id) ? id : 'other');
