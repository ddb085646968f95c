// Brings texts into a form in which they can be compared although people write the same thing in several ways.

/** Without capitals, and without spaces that have no meaning. */
export const fold = text => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The number of a student, a section or the like without leading zeros: spreadsheets turn 0017 into 17. */
export const bare = text => fold(text).replace(/^0+(?=\d)/, '');
