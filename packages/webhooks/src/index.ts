export type { ReceivedWebhook, VerifyOptions } from './check.ts';
export * from './header-names.ts';
export type { HeadersLike } from './headers-like.ts';
export { bodyFields, detailFields } from './originals.ts';
export { isSecret, makeSecret, type PreparedSecret, prepareSecret } from './secret.ts';
export {
  type AttemptToSign,
  signatureHeaders,
  signBranded,
  signStandard,
} from './sign.ts';
export type { Body, SignedAttempt } from './signed-bytes.ts';
export * from './test-headers.ts';
export type { Invalid, Valid, Verdict, VerifyFailure } from './verdict.ts';
export * from './verify.ts';
