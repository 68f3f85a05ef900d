import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { SLOW_AFTER } from '@servery/server';
import type { Session } from '../command.ts';
import { allOf, LOOKED_AT } from '../find/find.ts';
import { nowMs } from '../when.ts';

/** What a delivery that is queued waits for. */
export interface Wait {
  /** When it is tried by its own schedule, ahead of now; null when something else decides. */
  readonly nextAt: string | null;
  /** What decides, in words; empty when its schedule alone does. */
  readonly text: string;
  /** Whether it is not tried within the next moments. */
  readonly isHeld: boolean;
}

/** What is known of the deliveries of a table beside themselves. */
export interface Surroundings {
  /** Those that they go to, by GUID; one that was not found is missing. */
  readonly endpoints: ReadonlyMap<string, WebhookEndpoint>;
  /** The present of the environment, in epoch milliseconds. */
  readonly nowMs: number;
  /** What waits first at endpoints that want events in order, by their GUIDs, where it is known. */
  readonly heads: ReadonlyMap<string, WebhookDelivery>;
}

type Asking = Pick<Session, 'client'>;

const PAUSES: Readonly<Record<NonNullable<WebhookEndpoint['pauseReason']>, string>> = {
  PERSON: 'by a person',
  FAILURES: 'after failures',
  GONE: 'because it answered 410',
  BLOCKED: 'because its name resolves to an internal address',
  SECRET: 'because none of its secrets can be decrypted',
};

/** Who or what paused an endpoint; empty for one that is not paused. */
export function pausedText({ pauseReason }: Pick<WebhookEndpoint, 'pauseReason'>): string {
  return pauseReason === null ? '' : PAUSES[pauseReason];
}

export async function surroundingsOf(
  asking: Asking,
  deliveries: readonly WebhookDelivery[],
): Promise<Surroundings> {
  const guids = [...new Set(deliveries.map(({ endpointGuid }) => endpointGuid))];
  const endpoints = await endpointsOf(asking, guids);
  const waiting = deliveries.filter(({ state }) => state === 'QUEUED');
  const awaited = new Set(waiting.map(({ endpointGuid }) => endpointGuid));
  const heads = new Map<string, WebhookDelivery>();
  for (const endpoint of endpoints.values()) {
    if (!awaited.has(endpoint.guid) || !endpoint.isOrdered || endpoint.state !== 'ACTIVE') continue;
    const head = await headOf(asking, endpoint);
    if (head) heads.set(endpoint.guid, head);
  }
  return { endpoints, heads, nowMs: waiting.length === 0 ? 0 : await nowMs(asking) };
}

export function waitOf(
  delivery: WebhookDelivery,
  { endpoints, heads, nowMs }: Surroundings,
): Wait | null {
  const { state, endpointGuid, dueAt, queuedAt } = delivery;
  if (state !== 'QUEUED') return null;
  const endpoint = endpoints.get(endpointGuid);
  const held = endpoint && heldBack(endpoint, nowMs);
  if (held) return { nextAt: null, text: held, isHeld: true };
  if (endpoint?.isOrdered) {
    const head = heads.get(endpointGuid);
    if (!head) return { nextAt: null, text: 'its turn: the endpoint is ordered', isHeld: false };
    if (head.guid !== delivery.guid) return behind(head, nowMs);
  }
  // What is due from the start may be ahead of a present that was asked for a moment ago.
  const isScheduled = dueAt !== null && dueAt > queuedAt && isAhead(dueAt, nowMs);
  if (isScheduled) return { nextAt: dueAt, text: '', isHeld: true };
  const failures = endpoint?.consecutiveFailures ?? 0;
  const slowed = `; the endpoint failed ${failures} times in a row and gets one at a time`;
  return { nextAt: null, text: `due now${failures < SLOW_AFTER ? '' : slowed}`, isHeld: false };
}

/** What a delivery waits for, as it stands behind `is QUEUED: `. */
export function waitText({ nextAt, text }: Wait): string {
  return nextAt === null ? text : `next attempt at ${nextAt}`;
}

function heldBack(endpoint: WebhookEndpoint, nowMs: number): string | null {
  const { state, pauseReason, stateReason, nextProbeAt } = endpoint;
  switch (state) {
    case 'ACTIVE':
      return null;
    case 'PAUSED': {
      const said = pauseReason === 'PERSON' && stateReason ? ` (${stateReason})` : '';
      const paused = `the endpoint is paused ${pausedText(endpoint)}${said}`;
      if (nextProbeAt === null) return `${paused}, until it is resumed`;
      const isDue = !isAhead(nextProbeAt, nowMs);
      return `${paused}, ${isDue ? 'a probe is due now' : `next probe at ${nextProbeAt}`}`;
    }
    case 'DISABLED':
      return 'the endpoint is disabled, until it is resumed';
    case 'ARCHIVED':
      return 'the endpoint is archived';
  }
}

function behind(head: WebhookDelivery, nowMs: number): Wait {
  const { guid, dueAt, queuedAt } = head;
  const isStuck = dueAt !== null && dueAt > queuedAt && isAhead(dueAt, nowMs);
  const next = isStuck ? `, which is sent again at ${dueAt}` : '';
  return { nextAt: null, text: `the endpoint is ordered: behind ${guid}${next}`, isHeld: isStuck };
}

function isAhead(instant: string, nowMs: number): boolean {
  return Temporal.Instant.from(instant).epochMilliseconds > nowMs;
}

async function endpointsOf(
  { client }: Asking,
  guids: readonly string[],
): Promise<Map<string, WebhookEndpoint>> {
  const [only, ...others] = guids;
  if (only === undefined) return new Map();
  if (others.length === 0) {
    const params = { endpointGuid: only };
    return new Map([[only, await client.call('backOffice.webhooks.endpoints.get', { params })]]);
  }
  const found = new Map<string, WebhookEndpoint>();
  // Archived ones are listed only on request.
  for (const state of [undefined, 'ARCHIVED'] as const) {
    if (guids.every((guid) => found.has(guid))) break;
    const all = await allOf(client, 'backOffice.webhooks.endpoints.list', { query: { state } });
    for (const endpoint of all) found.set(endpoint.guid, endpoint);
  }
  return new Map([...found].filter(([guid]) => guids.includes(guid)));
}

/** What waits first: the last of a list with the newest first. */
async function headOf(
  { client }: Asking,
  { guid, queued }: WebhookEndpoint,
): Promise<WebhookDelivery | undefined> {
  if (queued > LOOKED_AT) return undefined;
  const query = { endpointGuid: guid, state: 'QUEUED' } as const;
  const page = await client.list('backOffice.webhooks.deliveries.list', { query }, LOOKED_AT);
  return page.hasMore ? undefined : page.results.at(-1);
}
