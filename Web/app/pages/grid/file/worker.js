// Reads one file for the page: gets the file with the user's language and marks, and answers with the table.

import { speakWith } from '../../../core/text/i18n.js';
import { tableOf } from './reading.js';
import { FileFault } from './zip.js';

addEventListener('message', async ({ data: { file, voice } }) => {
  speakWith(voice);
  try {
    const { rows, faults } = await tableOf(file);
    postMessage({ table: { rows, faults } });
  } catch (error) {
    if (error instanceof FileFault) return postMessage({ fault: { message: error.message, args: error.args } });
    postMessage({ error: String(error) });
  }
});
