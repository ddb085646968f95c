// Texts in the form in which they are compared where people write the same in several ways.

/** Without capitals, and without spaces that tell nothing. */
export const fold = text => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** A number of students, sections or the like: spreadsheets make 17 of 0017. */
export const bare = text => fold(text).replace(/^0+(?=\d)/, '');
