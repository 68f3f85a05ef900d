/** Which faulty requests a handler is called with. */
type Further = 'faultyElements' | 'anyFault';

const further = new WeakMap<object, Further>();

/**
 * Marks a handler of a list that is also called when only elements of the list are faulty. It looks
 * at those that are sound (`faults.isSound`), adds what only it can find, and then refuses: so one
 * answer tells every fault.
 */
export function lookingFurther<Handler extends object>(handler: Handler): Handler {
  further.set(handler, 'faultyElements');
  return handler;
}

/**
 * Marks a handler that is also called with a faulty request, unless a value is too large. It looks
 * at what is sound, adds what only it can find, and refuses in words of its own.
 */
export function refusingItself<Handler extends object>(handler: Handler): Handler {
  further.set(handler, 'anyFault');
  return handler;
}

/** Which faulty requests a handler is called with; undefined for none. */
export const furtherOf = (handler: object): Further | undefined => further.get(handler);
