// Keeps what the user has typed in a page's forms: it is read before the forms close unsent, and restored when they are
// open again.

const touched = new WeakSet();
// The function to call if a form is sent after all.
const onSent = new WeakMap();

// Passwords and one-time codes are never kept; files cannot be restored.
const isKeepable = input => touched.has(input) && nameOf(input) !== ''
  && !['password', 'file', 'hidden'].includes(input.type)
  && input.autocomplete !== 'one-time-code';
const isText = input => !['select-one', 'checkbox', 'radio', 'range'].includes(input.type);
const nameOf = input => input.name || input.id;
const withName = (form, name) => [...form.elements].filter(input => nameOf(input) === name);
const isSwitch = input => input.type === 'checkbox' || input.type === 'radio';

document.addEventListener('input', event => touched.add(event.target), true);
document.addEventListener('reset', event => forget(event.target), true);

function forget(form) {
  for (const input of form.elements) touched.delete(input);
}

/** Forgets what was typed in a form, because it was entered or is kept elsewhere. */
export function sent(form) {
  forget(form);
  onSent.get(form)?.();
  onSent.delete(form);
}

/** Calls `withdraw` when the form is sent. */
export const whenSent = (form, withdraw) => onSent.set(form, withdraw);

/** Identifies a form on its page: by its part of the page, its dialog, and its number among the forms there. */
function placeOf(form) {
  const dialog = form.closest('dialog');
  const around = [...(dialog ?? form.closest('main')).querySelectorAll('form')].filter(other =>
    other.closest('dialog') === dialog);
  return [form.closest('[data-scope]')?.dataset.scope ?? '', dialog?.getAttribute('aria-labelledby') ?? '',
    around.indexOf(form)].join('/');
}

const formsOfPage = () => [...document.querySelectorAll('main form')];
const titleOf = form =>
  (form.closest('dialog, section')?.querySelector('h2') ?? document.querySelector('main h1'))?.textContent
  ?? '';

/** The forms in which the user typed something: `{form, place, title, inputs}`; an input is `{name, nth, value, text}`,
 *  where `text` is what a person can read of it, or empty. */
export function typedForms() {
  return formsOfPage().map(form => ({ form, place: placeOf(form), title: titleOf(form), inputs: typedIn(form) }))
    .filter(({ inputs }) => inputs.some(({ text }) => text !== ''));
}

function typedIn(form) {
  return [...form.elements].filter(isKeepable).map(input => ({
    name: nameOf(input), nth: withName(form, nameOf(input)).indexOf(input),
    value: isSwitch(input) ? input.checked : input.value, text: isText(input) ? input.value.trim() : '',
  }));
}

/** Puts values back into their inputs; returns those that have no input now. */
export function putBack({ place, inputs }) {
  const form = formsOfPage().find(candidate => placeOf(candidate) === place);
  return form ? inputs.filter(input => !put(form, input)) : inputs;
}

function put(form, { name, nth, value }) {
  const input = withName(form, name)[nth];
  if (!input || input.disabled || input.readOnly) return false;
  if (isSwitch(input)) input.checked = value;
  else input.value = value;
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}
