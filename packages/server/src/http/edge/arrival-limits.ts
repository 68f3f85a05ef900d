/** Longest time for a whole request to arrive, in milliseconds: a slow sender holds no socket. */
export const REQUEST_TIMEOUT_MS = 60_000;

/** The same for its first byte and its head: a client with a request has begun to send it by then. */
export const HEAD_TIMEOUT_MS = 20_000;

/** How often connections are checked for this, in milliseconds. */
const CHECKING_MS = 5_000;

/** The time limits of a listener, as options of node:http. */
export const arrivalLimits = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEAD_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_MS,
} as const;
