const further = new WeakSet<object>();

/**
 * Marks a handler of a list that is also called when only elements of the list are faulty. It looks
 * at those that are sound (`faults.isSound`), adds what only it can find, and then refuses: so one
 * answer tells every fault.
 */
export function lookingFurther<Handler extends object>(handler: Handler): Handler {
  further.add(handler);
  return handler;
}

/** Whether a handler is called when elements are faulty. */
export const looksFurther = (handler: object): boolean => further.has(handler);
