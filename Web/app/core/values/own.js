// Documents have maps whose keys schemes choose. Inherited members of JavaScript objects, such as `constructor`, do not
// count.

/** The value that `map` itself has under `name`. */
export const valueIn = (map, name) =>
  (map !== null && map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined);
