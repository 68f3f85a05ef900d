/** The headers of the Standard Webhooks specification, as they stand on the wire. */
export const standardHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The headers of a webhook that carry the brand, as they stand on the wire. */
export interface WebhookHeaderNames {
  readonly eventType: string;
  readonly eventCategory: string;
  /** From 1. */
  readonly attemptNumber: string;
  readonly signature: string;
  /** `true` on what is sent again because somebody asked for it; absent otherwise. */
  readonly replay: string;
  /** `true` on an event that was made up to try an endpoint; absent otherwise. */
  readonly test: string;
}

/** The brand where no other is set. */
export const defaultWebhookBrand = 'Platform';

/** The names of the brand that was asked for last: a platform has one, and needs them often. */
let latest: { readonly brand: string; readonly names: WebhookHeaderNames } | null = null;

/** Takes the brand, such as `Platform`, and gives the header names that carry it. */
export function webhookHeaderNames(brand: string = defaultWebhookBrand): WebhookHeaderNames {
  if (latest?.brand === brand) return latest.names;
  const names: WebhookHeaderNames = Object.freeze({
    eventType: `${brand}-Event-Type`,
    eventCategory: `${brand}-Event-Category`,
    attemptNumber: `${brand}-Attempt-Number`,
    signature: `${brand}-Signature`,
    replay: `${brand}-Replay`,
    test: `${brand}-Test`,
  });
  latest = { brand, names };
  return names;
}
