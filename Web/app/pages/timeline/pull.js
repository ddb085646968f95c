// Pulling down the top of a page loads what is new. There is always a button that does the same.

const FAR = 80;

/** The handlers of an element that can be pulled. */
export function pullable(act) {
  let start = null;
  return {
    ontouchstart: event => {
      start = scrollY <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null;
    },
    ontouchend: event => {
      const isFar = start !== null && scrollY <= 0 && event.changedTouches[0].clientY - start > FAR;
      start = null;
      if (isFar) act();
    },
    ontouchcancel: () => {
      start = null;
    },
  };
}
