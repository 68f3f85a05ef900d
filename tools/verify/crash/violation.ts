import { paymentName } from './history.ts';

/** Something that must not be, with the invariant that it breaks. */
export interface Violation {
  /** A rule of the docs, `order` for a history without an order, or `alive` for a process that died. */
  readonly rule: string;
  /** `<merchant>/<payment>`, or what it is about. */
  readonly subject: string;
  readonly text: string;
}

/** Makes violations of one rule about one payment. */
export function violationOf(
  rule: string,
  key: { readonly merchantGuid: string; readonly paymentUuid: string },
  text: string,
): Violation {
  return { rule, subject: paymentName(key), text };
}
