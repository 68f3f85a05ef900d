type Further = 'faultyElements' | 'everyElement' | 'anyFault';

const further = new WeakMap<object, Further>();

/**
 * Also calls the handler if only elements of the list are faulty. It checks the sound ones
 * (`faults.isSound`), adds its faults, and then refuses, so one answer tells every fault.
 */
export function lookingFurther<Handler extends object>(handler: Handler): Handler {
  further.set(handler, 'faultyElements');
  return handler;
}

/** `lookingFurther` that tells every faulty element, not the first hundred (STK-5). */
export function tellingEveryElement<Handler extends object>(handler: Handler): Handler {
  further.set(handler, 'everyElement');
  return handler;
}

/**
 * Also calls the handler with a faulty request, unless a value is too large. It adds its faults and
 * refuses in its own words.
 */
export function refusingItself<Handler extends object>(handler: Handler): Handler {
  further.set(handler, 'anyFault');
  return handler;
}

export const furtherOf = (handler: object): Further | undefined => further.get(handler);
