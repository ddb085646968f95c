// The view that draws each scheme. Unknown schemes are drawn from their shape.

import { useStyles } from '../core/page/styles.js';
import { valueIn } from '../core/values/own.js';

const own = {
  chalkboard: { load: () => import('./chalkboard.js'), styles: 'chalkboard' },
  'rose-hulman': { load: () => import('./rose.js'), styles: 'rose' },
  iut: { load: () => import('./iut.js'), styles: 'iut' },
};

export async function viewFor(scheme) {
  const view = valueIn(own, scheme.id) ?? { load: () => import('./generic.js') };
  const [module] = await Promise.all([
    view.load(),
    useStyles('record'),
    view.styles && useStyles(view.styles),
  ]);
  return module;
}
