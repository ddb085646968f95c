// Reads files with results in the background, so that the page stays responsive.

import { voice } from '../../../core/text/i18n.js';
import { FileFault } from './zip.js';

/** Reads a file as `tableOf` does, in a new worker. Throws a `FileFault`. */
export function readTable(file) {
  const worker = new Worker('/app/pages/grid/file/worker.js', { type: 'module' });
  return new Promise((found, failed) => {
    worker.onmessage = ({ data: { table, fault, error } }) =>
      (table ? found(table) : failed(fault ? new FileFault(fault.message, fault.args) : new Error(error)));
    worker.onerror = () => failed(new Error('worker'));
    worker.postMessage({ file, voice: voice() });
  }).finally(() => worker.terminate());
}
