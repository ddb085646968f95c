// Finds the parts of a workbook by its relationships, because each writer chooses its own names of parts.

import { tags } from './xml.js';
import { FileFault } from './zip.js';

/** The documents of the first visible worksheet and of the workbook's strings and styles, null if it names none; also
 *  whether its days begin in 1904 (`is1904`), and whether its formulas still have to be calculated (`isUncalculated`).
 *  For an OpenDocument spreadsheet, the document of its content. Throws a `FileFault` if a named part is missing. */
export async function partsOf(file) {
  if ((await file.text('mimetype'))?.startsWith('application/vnd.oasis.opendocument.spreadsheet')) {
    return { content: await partOf(file, { target: 'content.xml' }) };
  }
  const main = (await relationsOf(file, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw new FileFault('unreadable');
  const [book, relations] = [await partOf(file, main), await relationsOf(file, main.target)];
  const named = async type => {
    const found = relations.find(relation => relation.type === type);
    return found ? partOf(file, found) : null;
  };
  const { sheets, ...said } = bookOf(book, relations);
  return {
    ...said, sheet: await sheetOf(file, sheets), strings: await named('sharedStrings'), styles: await named('styles'),
  };
}

// In addition to worksheets there are sheets that only have a chart.
function bookOf(book, relations) {
  const said = { sheets: [], is1904: false, isUncalculated: false };
  for (const { name, attributes } of tags(book)) {
    if (name === 'workbookPr') said.is1904 ||= isTrue(attributes.date1904);
    if (name === 'calcPr') said.isUncalculated ||= isTrue(attributes.fullCalcOnLoad);
    if (name !== 'sheet') continue;
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
    const relation = relations.find(each => each.id === id) ?? null;
    const isHidden = ['hidden', 'veryHidden'].includes(attributes.state);
    if (!relation || relation.type === 'worksheet') {
      said.sheets.push({ title: attributes.name ?? '', relation, isHidden });
    }
  }
  return said;
}

const isTrue = text => ['1', 'true', 'on'].includes(text);

async function sheetOf(file, sheets) {
  const found = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  if (!found) throw new FileFault('unreadable');
  if (!found.relation) throw new FileFault('missingPart', { name: found.title });
  return partOf(file, found.relation);
}

async function partOf(file, { target, isOutside }) {
  if (isOutside) throw new FileFault('unreadable');
  const document = await file.text(target);
  if (document === null) throw new FileFault('missingPart', { name: target });
  return document;
}

// The relationships of a part, `{id, type, target, isOutside}`; those of the whole file if the name is empty.
async function relationsOf(file, part) {
  const cut = part.lastIndexOf('/') + 1;
  const document = await file.text(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`);
  const found = [];
  for (const { name, attributes } of document === null ? [] : tags(document)) {
    if (name !== 'Relationship' || !attributes.Target) continue;
    const { Id: id, Type: type = '', Target: target, TargetMode: mode } = attributes;
    found.push({
      id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved(part.slice(0, cut), target),
      isOutside: mode === 'External',
    });
  }
  return found;
}

// The name of the part that a target means: relative to the folder of the part that names it, or to the whole file.
function resolved(folder, target) {
  const path = target.replaceAll('\\', '/');
  const names = [];
  for (const name of (path.startsWith('/') ? path : `${folder}${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
