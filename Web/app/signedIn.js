// The modules that the page needs once somebody is signed in, in one module, so that they are loaded as one file.

export { Edits } from './core/edits/edits.js';
export { Drafts } from './core/edits/drafts.js';
export { createSeal } from './core/storage/seal.js';
export { draftCards } from './parts/record/drafts.js';
export { offers } from './parts/account/offers.js';
