export * from './header-names.ts';
export type { HeadersLike } from './headers-like.ts';
export { bodyFields, detailFields } from './originals.ts';
export { isSecret, makeSecret, type PreparedSecret, prepareSecret } from './secret.ts';
export {
  type AttemptToSign,
  type Body,
  type SignedAttempt,
  signatureHeaders,
  signBranded,
  signStandard,
} from './sign.ts';
export * from './test-headers.ts';
export type { Invalid, Valid, Verdict, VerifyFailure } from './verdict.ts';
export * from './verify.ts';
