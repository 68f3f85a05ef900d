import type { DoneAttempt, DoneWork, WebhookEndpoint, WhoAmI } from '@servery/contract';
import { type Remote, readPages } from '../back-office.ts';
import { counted } from '../counted.ts';
import { WEBHOOKS } from '../verbs/webhook-names.ts';

/** The addresses of endpoints by their GUIDs, without the scheme; the GUID where nobody knows. */
export type AddressOf = (endpointGuid: string) => string;

const LOOKED_AT = 2_000;
const DATE = 'yyyy-mm-dd'.length;
const TIME_END = 'yyyy-mm-ddThh:mm:ss'.length;

/**
 * What waits at paused endpoints, which no deadline of the clock sets going, and the way out; empty
 * when nothing does, or when the account may not read webhooks.
 */
export async function heldText(remote: Remote): Promise<string> {
  const paused = await endpointsOf(remote, { state: 'PAUSED' });
  const holding = paused.filter(({ queued }) => queued > 0);
  if (holding.length === 0) return '';
  const events = holding.reduce((sum, { queued }) => sum + queued, 0);
  const [first] = holding.flatMap(({ nextProbeAt }) => nextProbeAt ?? []).toSorted();
  const where = counted(holding.length, 'paused webhook endpoint');
  const probe = first === undefined ? 'no probe comes' : `next probe ${first}`;
  return (
    `held   ${counted(events, 'event')} at ${where}; ${probe}\n` +
    '       "servery webhooks resume <endpoint>" delivers them now\n'
  );
}

/** The addresses of the endpoints that this work was about. */
export async function addressesOf(remote: Remote, done: readonly DoneWork[]): Promise<AddressOf> {
  const isAsked = done.some(({ webhook }) => webhook !== null);
  const endpoints = isAsked ? await endpointsOf(remote, {}) : [];
  const addresses = new Map(endpoints.map(({ guid, url }) => [guid, url.replace(/^\w+:\/\//, '')]));
  return (guid) => addresses.get(guid) ?? guid;
}

/** What an attempt came to: `500, next 12:10:00`. The day is told where it is another one. */
export function outcomeText(at: string, { outcome, status, state, nextAt }: DoneAttempt): string {
  const answer = status ?? outcome.toLowerCase().replaceAll('_', ' ');
  if (state === 'DELIVERED') return `${answer}`;
  if (state !== 'QUEUED') return `${answer}, ${state === 'DEAD' ? 'dead letter' : 'dropped'}`;
  if (nextAt === null) return `${answer}, waits`;
  const isSameDay = nextAt.slice(0, DATE) === at.slice(0, DATE);
  return `${answer}, next ${isSameDay ? nextAt.slice(DATE + 1, TIME_END) : nextAt}`;
}

/** Whoever may not read webhooks does not ask: that would be a refusal in the log of requests. */
async function endpointsOf(
  remote: Remote,
  query: Readonly<Record<string, string>>,
): Promise<readonly WebhookEndpoint[]> {
  const { grants } = await remote.get<WhoAmI>('/backoffice/v1/whoami');
  const mayRead = grants.some(({ scopes }) =>
    scopes.some(({ scope }) => scope === 'webhooks:read'),
  );
  if (!mayRead) return [];
  const path = `${WEBHOOKS}/endpoints`;
  return (await readPages<WebhookEndpoint>(remote, path, query, LOOKED_AT)).results;
}
