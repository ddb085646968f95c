// Every address of the client, and the page that answers it. Pages are fetched when they are first needed.

const signIn = () => import('./pages/signIn.js');
const oneTime = () => import('./pages/oneTime.js');

export const routes = [
  ['/', () => import('./pages/home.js')],
  ['/sign-in', signIn],
  ['/sign-up', async () => ({ open: (await signIn()).openSignUp })],
  ['/records', () => import('./pages/records.js')],
  ['/records/:id', () => import('./pages/record.js')],
  ['/explore', () => import('./pages/explore.js')],
  ['/explore/:scheme', () => import('./pages/calculator.js')],
  ['/profile', () => import('./pages/profile.js')],
  ['/programs', () => import('./pages/programs.js')],
  ['/programs/:id', () => import('./pages/program.js')],
  ['/programs/:id/records', () => import('./pages/programRecords.js')],
  ['/programs/:id/cohort', () => import('./pages/cohort.js')],
  ['/programs/:id/results', () => import('./pages/results.js')],
  ['/institutions/:id/members', () => import('./pages/members.js')],
  ['/admin', () => import('./pages/administration.js')],
  ['/admin/accounts', () => import('./pages/accounts.js')],
  ['/admin/audit', () => import('./pages/audit.js')],
  ['/reset', async () => ({ open: (await oneTime()).openReset })],
  ['/first', async () => ({ open: (await oneTime()).openFirst })],
  ['/invitation', async () => ({ open: (await oneTime()).openInvitation })],
];
