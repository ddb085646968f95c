// The differences between two documents, article by article and line by line.

import { articlesOf } from '../../core/text/articles.js';

// An article with more pairs of lines than this is shown as replaced as a whole.
const MOST_PAIRS = 1_000_000;

/** The articles that differ: `{title, rows}`; a row is `{before, after, same}`, with null on the side that lacks the
 *  line, and `same` if both sides agree. */
export function differingArticles(before, after) {
  const [old, now] = [byTitle(articlesOf(before)), byTitle(articlesOf(after))];
  const titles = [...new Set([...now.keys(), ...old.keys()])];
  return titles.flatMap(key => {
    const [from, to] = [old.get(key), now.get(key)];
    const rows = rowsOf(from ? lines(from) : [], to ? lines(to) : []);
    return rows.some(row => !row.same) ? [{ title: (to ?? from).title, rows }] : [];
  });
}

const lines = ({ title, lines: own }) => (title === '' ? own : [title, ...own]);

// Articles with the same title are paired in order.
function byTitle(articles) {
  const counts = new Map();
  return new Map(articles.map(article => {
    const count = (counts.get(article.title) ?? 0) + 1;
    counts.set(article.title, count);
    return [`${article.title}\n${count}`, article];
  }));
}

/** The lines of two lists side by side. */
export function rowsOf(before, after) {
  const [start, same] = ends(before, after);
  const [old, now] = [before.slice(start, before.length - same), after.slice(start, after.length - same)];
  return [
    ...before.slice(0, start).map(equal),
    ...(old.length * now.length > MOST_PAIRS ? replaced(old, now) : aligned(old, now)),
    ...before.slice(before.length - same).map(equal),
  ];
}

const equal = line => ({ before: line, after: line, same: true });

function ends(before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return [start, same];
}

// Pairs removed lines with added ones, as far as there are both.
const replaced = (old, now) => Array.from({ length: Math.max(old.length, now.length) }, (_, index) =>
  ({ before: old[index] ?? null, after: now[index] ?? null, same: false }));

// The longest common subsequence of lines.
function aligned(old, now) {
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] = old[row] === now[column]
        ? longest[(row + 1) * width + column + 1] + 1
        : Math.max(longest[(row + 1) * width + column], longest[row * width + column + 1]);
    }
  }
  const rows = [];
  let [row, column] = [0, 0];
  let [gone, come] = [[], []];
  const flush = () => {
    rows.push(...replaced(gone, come));
    [gone, come] = [[], []];
  };
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      flush();
      rows.push(equal(old[row]));
      row += 1;
      column += 1;
    } else if (column >= now.length
      || (row < old.length && longest[(row + 1) * width + column] >= longest[row * width + column + 1])) {
      gone.push(old[row]);
      row += 1;
    } else {
      come.push(now[column]);
      column += 1;
    }
  }
  flush();
  return rows;
}

/** Rows with `around` lines of context; those left out between them become `{skipped: count}`. */
export function abridged(rows, around = 2) {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - around), index + around + 1).some(row => !row.same));
  const shown = [];
  for (const [index, row] of rows.entries()) {
    if (isNear[index]) shown.push(row);
    else if (shown.at(-1)?.skipped) shown.at(-1).skipped += 1;
    else shown.push({ skipped: 1 });
  }
  return shown;
}
