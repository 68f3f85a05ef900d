/** Limits how long a slow sender holds a socket. */
export const REQUEST_TIMEOUT_MS = 60_000;

export const HEAD_TIMEOUT_MS = 20_000;

const CHECKING_MS = 5_000;

export const arrivalLimits = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEAD_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_MS,
} as const;
