// All addresses and the pages that they open, loaded when first needed.

import { useTexts } from './core/text/i18n.js';
import { useStyles } from './core/page/styles.js';

const signIn = () => import('./pages/signIn.js');

const withAll = (load, ...needs) => async () => (await Promise.all([load(), ...needs.map(need => need())]))[0];
const record = load => withAll(load, () => useTexts('.record'));
const staff = load => withAll(load, () => useTexts('.record'), () => useTexts('.staff'), () => useStyles('/app/css/staff.css'));
const profile = load => withAll(load, () => useTexts('.profile'));
const oneTime = profile(() => import('./pages/oneTime.js'));
const program = load => withAll(staff(load), () => useStyles('/app/css/program.css'));

const people = load => withAll(record(load), () => useTexts('.people'), () => useStyles('/app/css/people.css'));
const found = load => withAll(load, () => useTexts('.search'), () => useStyles('/app/css/search.css'));
const ofClass = [() => useTexts('.class'), () => useStyles('/app/css/record.css'), () => useStyles('/app/css/class.css')];
const taught = load => withAll(staff(load), ...ofClass);
const security = page => withAll(profile(page), () => useStyles('/app/css/profile.css'));

/** The page of a session that must first show or set up a second factor. */
export const enrolment = security(() => import('./pages/enrolment.js'));
/** Pages that such a session can open all the same. */
export const isForEverybody = path => /^\/(sign-in|sign-up|forgotten|reset|email|first)(\/|$)/.test(path);

/** Pages that people open who are not signed in. */
export const isForGuests = path => path === '/' || path.startsWith('/explore') || isForEverybody(path);

export const routes = [
  ['/', () => import('./pages/home.js')],
  ['/sign-in', signIn],
  ['/sign-in/:provider', profile(() => import('./pages/provider.js'))],
  ['/sign-up', async () => ({ open: (await signIn()).openSignUp })],
  ['/records', record(() => import('./pages/records.js'))],
  ['/records/:id', record(() => import('./pages/record.js'))],
  ['/work', found(record(() => import('./pages/work.js')))],
  ['/search', found(() => import('./pages/search.js'))],
  ['/explore', withAll(() => import('./pages/explore.js'), () => useStyles('/app/css/explore.css'))],
  ['/explore/:scheme', record(() => import('./pages/calculator.js'))],
  ['/profile', withAll(profile(() => import('./pages/profile.js')), () => useStyles('/app/css/profile.css'))],
  ['/timeline', withAll(people(() => import('./pages/timeline.js')), () => useTexts('.feed'))],
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
  ['/programs/:id/classes', withAll(program(() => import('./pages/program/classes.js')), ...ofClass)],
  ['/classes', taught(() => import('./pages/classes.js'))],
  ['/classes/:id', withAll(taught(() => import('./pages/class.js')), () => import('./core/edits/cellActs.js'), () => import('./core/data/collections.js'))],
  ['/records/:id/classes/:entry', withAll(record(() => import('./pages/classRow.js')), ...ofClass)],
  ['/institutions/:id/members', staff(() => import('./pages/members.js'))],
  ['/institutions/:id/terms', staff(() => import('./pages/terms.js'))],
  ['/institutions/:id/services', security(staff(() => import('./pages/services.js')))],
  ['/admin', staff(() => import('./pages/administration.js'))],
  ['/admin/accounts', profile(staff(() => import('./pages/accounts.js')))],
  ['/admin/providers', staff(() => import('./pages/providers.js'))],
  ['/admin/audit', profile(staff(() => import('./pages/audit.js')))],
  ['/reset', async () => ({ open: (await oneTime()).openReset })],
  ['/forgotten', async () => ({ open: (await oneTime()).openForgotten })],
  ['/email', async () => ({ open: (await oneTime()).openEmail })],
  ['/first', async () => ({ open: (await oneTime()).openFirst })],
  ['/invitation', async () => ({ open: (await oneTime()).openInvitation })],
];
