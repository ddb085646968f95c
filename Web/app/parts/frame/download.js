// Saves files on the user's device.

/** Saves `text` as a file `name`. */
export function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves the file at `address` under the name that the server gives it. */
export function saveFrom(address) {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
