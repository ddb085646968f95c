// Documents have maps whose keys schemes choose. What JavaScript's objects inherit, such as `constructor`, is none of them.

/** The value that `map` itself has under `name`. */
export const valueIn = (map, name) => (map !== null && map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined);
