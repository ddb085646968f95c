// The sheets that a class opens, in one module, so that they are one file, which is loaded after the grid is shown.

export { cellHistorySheet } from './cellHistory.js';
export { columnMenu } from './columnMenu.js';
export { commentsSheet } from './comments.js';
export { askSheet, correctionsSheet } from './corrections.js';
export { curveSheet } from './curve.js';
export { exportSheet } from './export.js';
export { importSheet } from './import.js';
export { keysSheet } from './keysHelp.js';
export { ledgerSheet } from './ledger.js';
export { messageSheet } from './message.js';
export { overrideSheet } from './override.js';
export { revealSheet } from './reveal.js';
export { leavingSheet, rosterSheet } from './roster.js';
export { settingsSheet } from './settings.js';
export { statisticsSheet } from './statistics.js';
export { structureSheet } from './structure.js';
export { transferSheet } from './transfer.js';
export { viewSheet } from './view.js';
