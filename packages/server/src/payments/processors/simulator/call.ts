import type {
  AuthorizationOrder,
  CaptureOrder,
  InquiryOrder,
  ProcessorAnswer,
  VoidOrder,
} from '../processor.ts';

/** One call to the processor. */
export type Call =
  | { readonly operation: 'authorize'; readonly order: AuthorizationOrder }
  | { readonly operation: 'inquire'; readonly order: InquiryOrder }
  | { readonly operation: 'capture'; readonly order: CaptureOrder }
  | { readonly operation: 'void'; readonly order: VoidOrder };

/** What comes back of a call: an answer, or nothing good. */
export type Delivery =
  | { readonly kind: 'answer'; readonly answer: ProcessorAnswer }
  /** Nothing, ever: the caller gives up at its own deadline. */
  | { readonly kind: 'silence' }
  /** The connection breaks. */
  | { readonly kind: 'dropped' }
  /** Something that nobody can read. */
  | { readonly kind: 'broken' };
