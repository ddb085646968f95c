// One sentence that explains a term to users who meet it for the first time.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** The sentence about `word`: program, record, standing, rehearsal, release, cohort … */
export const help = word => h('p', { class: 'help', key: `help-${word}` }, t(`help.${word}`));
