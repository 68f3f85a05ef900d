import type { Operation, Orders, ProcessorAnswer } from './messages.ts';

/** One call to the processor. */
export type Call = {
  [Name in Operation]: { readonly operation: Name; readonly order: Orders[Name] };
}[Operation];

/** What comes back of a call: an answer, or nothing good. */
export type Delivery =
  | { readonly kind: 'answer'; readonly answer: ProcessorAnswer }
  /** Nothing, ever: the caller gives up at its own deadline. */
  | { readonly kind: 'silence' }
  /** The connection breaks. */
  | { readonly kind: 'dropped' }
  /** Something that nobody can read. */
  | { readonly kind: 'broken' };
