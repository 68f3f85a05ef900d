export * from './business-time.ts';
export { type Card, type CardKey, type EncryptedCard, encryptCard } from './cards.ts';
export * from './errors.ts';
export { OrderUnknown, type PlaceOptions } from './orders.ts';
export type {
  PaymentAnswer,
  PaymentApproved,
  PaymentDeclined,
  PaymentOptions,
  PaymentRequest,
  PaymentUnknown,
  PreparedPayment,
} from './payments.ts';
export type { RetryRules } from './retries.ts';
export { Servery, type ServeryOptions } from './servery.ts';
export type { StoredToken, TokenStore } from './tokens.ts';
export type { Hooks, ReceivedResponse, Retry, SentRequest } from './transport.ts';
export type { CallOptions, ListOptions } from './tree.ts';
export type { Changes, Walk } from './walk.ts';
export type { VerifiedWebhook } from './webhooks.ts';
