// What the page needs of the client as soon as somebody has signed in, in one module, so that it comes in one file.

export { Edits } from './core/edits/edits.js';
export { Drafts } from './core/edits/drafts.js';
export { createSeal } from './core/storage/seal.js';
export { draftCards } from './parts/record/drafts.js';
export { offers } from './parts/account/offers.js';
