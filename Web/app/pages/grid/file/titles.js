// The titles of columns that identify people, and the names of rows that are not students, in all languages: a file may
// come from a colleague.

import { fold } from '../../../core/text/fold.js';

/** A title in the form in which titles are compared: some languages write no space before brackets. */
export const titleKey = text => fold(text).replace(/ ?\( ?/g, '(').replace(/ \)/g, ')');

const WORDS = {
  name: ['name', 'student', 'student name', 'full name', 'nom', 'étudiant', 'étudiante', 'nom complet', '姓名', '学生',
    '学生姓名'],
  first: ['first name', 'given name', 'given names', 'prénom', 'prénoms', '名', '名字'],
  last: ['last name', 'family name', 'surname', 'nom de famille', '姓', '姓氏'],
  number: ['student number', 'student no', 'student no.', 'numéro d’étudiant', 'numéro d\'étudiant', 'numéro étudiant',
    'n° étudiant', '学号'],
  login: ['login', 'username', 'user name', 'sis login id', 'identifiant', '登录名', '用户名'],
  section: ['section', '教学班'],
};

const KINDS = new Map(Object.entries(WORDS).flatMap(([kind, words]) => words.map(word => [fold(word), kind])));

/** What a column contains according to its title: a `name`, a `first` or `last` name, a `number`, a `login`, a
 *  `section`; null for any other title. */
export const kindOfTitle = text => KINDS.get(fold(text)) ?? null;

const OTHERS = new Set([
  'points possible', 'possible points', 'points', 'max', 'max.', 'max points', 'max score', 'maximum', 'maximum points',
  'maximum score', 'out of', 'total', 'total points',
  'weight', 'due date', 'mean', 'mean score', 'class mean', 'average', 'average score', 'class average', 'median',
  'min', 'min.', 'minimum', 'lowest', 'highest', 'lowest score',
  'highest score', 'standard deviation', 'std dev', 'std. dev.', 'stdev', 'count', 'test student', 'student test',
  'demo student',
  'barème', 'points possibles', 'note maximale', 'note minimale', 'coefficient', 'pondération', 'moyenne',
  'moyenne de la classe', 'médiane', 'écart-type', 'écart type', 'effectif', 'étudiant test',
  'étudiant de test', 'test étudiant',
  '满分', '总分', '平均', '平均分', '平均值', '班级平均', '班级平均分', '中位数', '最高分', '最低分', '最大值', '最小值', '标准差', '人数', '权重', '测试学生',
].map(fold));

/**
 * Whether a text found where a name is expected names no student: maxima, means, and the test student of other systems.
 */
export const isNoStudent = text => OTHERS.has(fold(text).replace(/ ?:$/, ''));

// No name is longer.
const LONGEST = 500;

/** The readings of a text as "Last, First", as `{first, last}`: one for each comma, because a name itself may have one
 *  ("Smith, Jr., John"). */
export const splits = text => (text.length > LONGEST ? [] : [...text.matchAll(/[,，]/g)])
  .map(({ index }) => ({ first: text.slice(index + 1).trim(), last: text.slice(0, index).trim() }))
  .filter(({ first, last }) => first !== '' && last !== '');

/** The usual orders of a name that may be written as "Last, First". */
export const inOrders = text => splits(text).map(({ first, last }) => `${first} ${last}`);

/** A first and a last name in one text, in either order; some languages write no space between them. */
export const bothOrders = (first, last) => [`${first} ${last}`, `${last} ${first}`, `${last}${first}`];

/** The forms in which files have the name of a person, `{name, givenName, familyName}`: the displayed name and, if the
 *  person has said both, the first and last name in either order. */
export const formsOf = ({ name, givenName, familyName }) => [
  name, ...inOrders(name),
  ...givenName && familyName ? [...bothOrders(givenName, familyName), `${familyName}, ${givenName}`] : [],
];

/** A name in the form in which names are compared: with a space after each comma in it. */
export const nameKey = text => fold(text).replace(/ ?, ?/g, ', ');

/** A first and a last name in the form in which they are compared. */
export const partsKey = (first, last) => `${nameKey(first)}\n${nameKey(last)}`;
