// Articles of regulations that are written as documents: headings and the text below them.

/** The articles of a document: its headings with the lines below them, `{title, level, start, lines}`. The text before
 *  the first heading has an empty title. */
export function articlesOf(text) {
  const articles = [{ title: '', level: 0, start: 0, lines: [] }];
  let fence = null;
  let place = 0;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,})/.exec(line)?.[1];
    if (mark && fence === null) fence = mark;
    else if (mark && mark.length >= fence.length && /^\s*$/.test(line.trim().slice(mark.length))) fence = null;
    const heading = fence === null && /^ *(#{1,6}) +(.*\S)/.exec(line);
    if (heading) articles.push({ title: heading[2], level: heading[1].length, start: place, lines: [] });
    else articles.at(-1).lines.push(line);
    place += line.length + 1;
  }
  return articles.filter(article => article.title !== '' || article.lines.some(line => line.trim() !== ''));
}

/** The article that a figure or an outcome cites, either by its whole heading or by how the heading begins; null if
 *  there is none. */
export function articleOf(text, cited) {
  const articles = articlesOf(text).map(article => ({ ...article, title: article.title.split(/ +/).join(' ') }));
  return articles.find(({ title }) => title.slice(0, 200) === cited)
    ?? articles.find(({ title }) => title.startsWith(`${cited} `)) ?? null;
}
