// Why a student is at risk, in words.

import { sentences, t } from '../../core/text/i18n.js';

/** The reasons of a row, such as `below` and `missing:3`. */
export const riskText = risks => sentences([t('risk.is'), ...risks.map(risk => {
  const [name, count] = risk.split(':');
  return t(`risk.why.${name}`, { count: Number(count ?? 0) });
})]);
