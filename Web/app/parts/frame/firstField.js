// Finds the field in which the user begins to type.

/** Gives the focus to the first field of the form in `container`, unless something in it already asks for the focus. */
export function focusFirstField(container) {
  if (container.querySelector('[autofocus]')) return;
  const fields = [...container.querySelectorAll('input, select, textarea')];
  fields.find(isFirst)?.focus({ preventScroll: true });
}

// In a group of radio buttons, the selected one represents all.
const isFirst = field => field.getClientRects().length > 0 && !field.disabled && !field.readOnly
  && (field.type !== 'radio' || field.checked);
