// The meaning of keys in the grid: named commands, independent of the page.

const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
// On a Mac the Command key has the role of Ctrl.
const isCommand = event => event.ctrlKey || event.metaKey;

/** Whether a key opens a menu. */
export const asksForMenu = ({ key, shiftKey }) => key === 'ContextMenu' || (key === 'F10' && shiftKey);

/**
 * The command of a key, or null if it has no meaning here: `{name, …}`. `isEditing` means that something is being
 * typed, `isPaste` that a preview is shown, and `letters` that single letters are text, so commands need Alt.
 */
export function commandOf(event, { isEditing = false, isPaste = false, letters = false } = {}) {
  if (event.isComposing) return null;
  if (isPaste && !isEditing) {
    return { Enter: { name: 'pasteEnter' }, Escape: { name: 'pasteCancel' } }[event.key]
      ?? (event.key in arrows ? { name: 'none' } : null);
  }
  if (event.altKey && !isCommand(event)) return byAlt(event);
  if (isEditing) return whileEditing(event);
  if (asksForMenu(event)) return { name: 'menu' };
  return byMove(event) ?? (isCommand(event) ? byControl(event) : alone(event, letters));
}

// Checks the position of the key, too: with Alt, some keyboards produce other characters.
function byAlt({ key, code }) {
  if (key.toLowerCase() === 'x' || code === 'KeyX') return { name: 'status', status: 'excused' };
  if (key.toLowerCase() === 'm' || code === 'KeyM') return { name: 'status', status: 'missing' };
  if (key.toLowerCase() === 'c' || code === 'KeyC') return { name: 'comment' };
  if (key.toLowerCase() === 'h' || code === 'KeyH') return { name: 'history' };
  return null;
}

function whileEditing({ key, shiftKey }) {
  switch (key) {
    case 'Enter': return { name: 'commit', down: shiftKey ? -1 : 1, right: 0 };
    case 'Tab': return { name: 'commit', down: 0, right: shiftKey ? -1 : 1 };
    case 'ArrowUp': return { name: 'commit', down: -1, right: 0 };
    case 'ArrowDown': return { name: 'commit', down: 1, right: 0 };
    case 'Escape': return { name: 'cancel' };
    default: return null;
  }
}

function byMove(event) {
  const extend = event.shiftKey;
  if (event.key in arrows) {
    const [down, right] = arrows[event.key];
    return { name: isCommand(event) ? 'edge' : 'move', down, right, extend };
  }
  switch (event.key) {
    case 'Home': return { name: isCommand(event) ? 'begin' : 'rowStart', extend };
    case 'End': return { name: isCommand(event) ? 'end' : 'rowEnd', extend };
    case 'PageUp': return { name: 'page', down: -1, extend };
    case 'PageDown': return { name: 'page', down: 1, extend };
    default: return null;
  }
}

function byControl({ key, shiftKey }) {
  switch (key.toLowerCase()) {
    case 'd': return { name: 'fillDown' };
    case 'z': return { name: shiftKey ? 'redo' : 'undo' };
    case 'y': return { name: 'redo' };
    case 'a': return { name: 'selectAll' };
    case 'f': return { name: 'find' };
    default: return null;
  }
}

function alone({ key, shiftKey }, letters) {
  switch (key) {
    case 'Enter': return { name: 'enter', down: shiftKey ? -1 : 1 };
    case 'F2': return { name: 'edit' };
    case 'Delete': case 'Backspace': return { name: 'clear' };
    case 'Escape': return { name: 'giveUp' };
    default:
  }
  // A key that begins to compose a character (Chinese, an accent) begins to type, too.
  if (key === 'Process' || key === 'Dead' || key === 'Unidentified') return { name: 'type' };
  if ([...key].length !== 1) return null;
  if (!letters) {
    const command = {
      x: { name: 'status', status: 'excused' }, m: { name: 'status', status: 'missing' }, c: { name: 'comment' },
      h: { name: 'history' }, '/': { name: 'find' }, '?': { name: 'help' },
    }[key];
    if (command) return command;
  }
  return key === ' ' ? { name: 'edit' } : { name: 'type' };
}
