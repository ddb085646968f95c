// All addresses and the pages that they open, loaded when first needed.

import { useTexts } from './core/text/i18n.js';
import { useStyles } from './core/page/styles.js';

const signIn = () => import('./pages/signIn.js');

const withAll = (load, ...needs) => async () => (await Promise.all([load(), ...needs.map(need => need())]))[0];
const ofRecord = () => useStyles('record');
const ofStaff = () => useStyles('staff');
const record = load => withAll(load, () => useTexts('record'));
const ownRow = load => withAll(load, () => useTexts('record', 'class'), ofStaff);
const staff = load => withAll(load, () => useTexts('staff'), ofStaff);
const taught = load => withAll(load, () => useTexts('staff', 'class'), ofStaff);
const accounts = load => withAll(load, () => useTexts('staff', 'profile'), ofStaff);
const program = load => withAll(staff(load), () => useStyles('program'));
const profile = load => withAll(load, () => useTexts('profile'));
const ofProfile = () => useStyles('profile');
const security = load => withAll(profile(load), ofProfile);
const oneTime = profile(() => import('./pages/oneTime.js'));
const people = load => withAll(load, () => useTexts('record', 'people', 'feed'), () => useStyles('people'));
const found = load => withAll(load, () => useTexts('record', 'search'), () => useStyles('search'));

/** The page of a session that must first show or set up a second factor. */
export const enrolment = security(() => import('./pages/enrolment.js'));
/** Pages that such a session can open all the same. */
export const isForEverybody = path => /^\/(sign-in|sign-up|forgotten|reset|email|first)(\/|$)/.test(path);

/** Pages that people open who are not signed in. */
export const isForGuests = path => path === '/' || path === '/docs' || path.startsWith('/explore')
  || isForEverybody(path);

export const routes = [
  ['/', () => import('./pages/home.js')],
  ['/sign-in', signIn],
  ['/sign-in/:provider', profile(() => import('./pages/provider.js'))],
  ['/sign-up', async () => ({ open: (await signIn()).openSignUp })],
  ['/records', record(() => import('./pages/records.js'))],
  ['/records/:id', withAll(record(() => import('./pages/record.js')), ofRecord)],
  ['/work', found(() => import('./pages/work.js'))],
  ['/search', found(() => import('./pages/search.js'))],
  ['/explore', withAll(record(() => import('./pages/explore.js')), () => useStyles('explore'))],
  ['/explore/class', withAll(record(() => import('./pages/tryClass.js')), ofStaff, () => useStyles('explore'))],
  ['/explore/:scheme', withAll(record(() => import('./pages/calculator.js')), ofRecord)],
  ['/docs', withAll(() => import('./pages/docs.js'), () => useTexts('docs'), () => useStyles('docs'))],
  ['/profile', security(() => import('./pages/profile.js'))],
  ['/timeline', people(() => import('./pages/timeline.js'))],
  ['/people', people(() => import('./pages/friends.js'))],
  ['/people/link', people(() => import('./pages/followLink.js'))],
  ['/people/:id', people(() => import('./pages/person.js'))],
  ['/security', security(() => import('./pages/security.js'))],
  ['/programs', staff(() => import('./pages/programs.js'))],
  ['/programs/:id', program(() => import('./pages/program/overview.js'))],
  ['/programs/:id/rules', program(() => import('./pages/program/rules.js'))],
  ['/programs/:id/regulation', program(() => import('./pages/program/regulation.js'))],
  ['/regulations/try', program(() => import('./pages/program/regulation.js'))],
  ['/programs/:id/versions', program(() => import('./pages/program/versions.js'))],
  ['/programs/:id/people', program(() => import('./pages/program/people.js'))],
  ['/programs/:id/records', program(() => import('./pages/program/records.js'))],
  ['/programs/:id/cohort', program(() => import('./pages/program/cohort.js'))],
  ['/programs/:id/results', program(() => import('./pages/program/results.js'))],
  ['/programs/:id/classes', withAll(taught(() => import('./pages/program/classes.js')), () => useStyles('program'))],
  ['/classes', taught(() => import('./pages/classes.js'))],
  ['/classes/:id',
    withAll(taught(() => import('./pages/class.js')), () => import('./core/edits/cellActs.js'),
      () => import('./core/data/collections.js'))],
  ['/records/:id/classes/:entry', ownRow(() => import('./pages/classRow.js'))],
  ['/institutions/:id/members', staff(() => import('./pages/members.js'))],
  ['/institutions/:id/terms', staff(() => import('./pages/terms.js'))],
  ['/institutions/:id/services', withAll(accounts(() => import('./pages/services.js')), ofProfile)],
  ['/institutions/:id/webhooks', withAll(accounts(() => import('./pages/webhooks.js')), ofProfile)],
  ['/admin', staff(() => import('./pages/administration.js'))],
  ['/admin/accounts', accounts(() => import('./pages/accounts.js'))],
  ['/admin/providers', staff(() => import('./pages/providers.js'))],
  ['/admin/audit', accounts(() => import('./pages/audit.js'))],
  ['/reset', async () => ({ open: (await oneTime()).openReset })],
  ['/forgotten', async () => ({ open: (await oneTime()).openForgotten })],
  ['/email', async () => ({ open: (await oneTime()).openEmail })],
  ['/first', async () => ({ open: (await oneTime()).openFirst })],
  ['/invitation', async () => ({ open: (await oneTime()).openInvitation })],
];
