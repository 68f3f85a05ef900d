import { randomUUID } from 'node:crypto';
import type {
  ReplayWebhooks,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
} from '@servery/contract';
import { readGuidOf } from '../arguments.ts';
import { PlatformRefusal, type Remote, readPages } from '../back-office.ts';
import { counted } from '../counted.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { type Shown, said } from './shown.ts';
import { flag, type Verb, verb } from './verb.ts';
import { endpointOf, endpointWord, WEBHOOKS } from './webhook-names.ts';
import { pastOf } from './when.ts';

interface ReplayFlags {
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly failed?: boolean;
  readonly since?: string;
  readonly dryRun?: boolean;
}

/** Which events are to be sent again, and how many the platform says that are. */
interface Counted {
  readonly selection: ReplayWebhooks;
  readonly replay: WebhookReplay;
}

const DELIVERIES = `${WEBHOOKS}/deliveries`;
const LOOKED_AT = 2_000;
const NOT_FOUND = 404;
const readEvent = readGuidOf('event or delivery', 'servery webhooks deliveries');

/** `servery webhooks replay`. */
export const replayVerb: Verb = verb<ReplayFlags>({
  name: 'replay',
  says: 'count events, and send them to an endpoint again',
  example: 'servery webhooks replay hooks.example.com --failed',
  words: [endpointWord],
  flags: [
    flag('--event <guid>', 'this event, or that of this delivery', readEvent),
    flag('--from <position>', 'those from this position on', readPosition),
    flag('--to <position>', 'with --from: up to this one', readPosition),
    flag('--failed', 'all that became dead letters'),
    flag('--since <instant>', 'all that happened since: 2h, or ISO 8601'),
    flag('--dry-run', 'only count them'),
  ],
  run: async (call) => {
    const { remote, flags, deps, words } = call;
    const asked = await selectionOf(flags, (text) => pastOf('--since', text, remote));
    const endpoint = `${WEBHOOKS}/endpoints/${await endpointOf(call, words[0] ?? '')}`;
    const count = async (selection: ReplayWebhooks): Promise<Counted> => {
      const body = { ...selection, dryRun: true };
      return { selection, replay: await remote.post<WebhookReplay>(`${endpoint}/replay`, body) };
    };
    const { selection, replay } = await countOf(remote, asked, count);
    if (replay.count === 0) return nothingShown(remote, asked, replay);
    if (flags.dryRun) return replayShown(replay);
    const { url } = await remote.get<WebhookEndpoint>(endpoint);
    deps.terminal.err.write(`Sending ${whatOf(replay)}, to ${url} …\n`);
    // What is sent is what was counted, or nothing.
    const expectedCount = replay.count;
    const sent = { ...selection, expectedCount, requestGuid: randomUUID() };
    return replayShown(await remote.post<WebhookReplay>(`${endpoint}/replay`, sent));
  },
});

/** Counts what was asked for. A GUID that is no event's may be a delivery's: its event is meant. */
async function countOf(
  remote: Remote,
  asked: ReplayWebhooks,
  count: (selection: ReplayWebhooks) => Promise<Counted>,
): Promise<Counted> {
  const found = await count(asked);
  if (asked.which !== 'EVENT' || found.replay.count > 0) return found;
  const guid = asked.eventGuid ?? '';
  const delivery = await deliveryOf(remote, guid);
  if (delivery === null) {
    throw new CommandFailure(
      `no event of the partner and no delivery is ${guid}: "servery webhooks deliveries" shows ` +
        'what there is.',
      exitCodes.refused,
    );
  }
  if (delivery.isTest) {
    throw new CommandFailure(
      `${guid} is a test event, which is not sent again: "servery webhooks test" sends another.`,
      exitCodes.refused,
    );
  }
  const again = await count({ which: 'EVENT', eventGuid: delivery.eventGuid });
  if (again.replay.count > 0) return again;
  throw new CommandFailure(
    `the event of ${guid} is none of the partner of this endpoint, or is kept no more.`,
    exitCodes.refused,
  );
}

/** The delivery with this GUID, or one of the event with it; null when there is neither. */
async function deliveryOf(remote: Remote, guid: string): Promise<WebhookDelivery | null> {
  try {
    return await remote.get<WebhookDelivery>(`${DELIVERIES}/${guid}`);
  } catch (error) {
    if (!(error instanceof PlatformRefusal) || error.status !== NOT_FOUND) throw error;
  }
  const { results } = await readPages<WebhookDelivery>(remote, DELIVERIES, { eventGuid: guid }, 1);
  return results[0] ?? null;
}

async function selectionOf(
  { event, from, to, failed, since }: ReplayFlags,
  instant: (text: string) => Promise<string>,
): Promise<ReplayWebhooks> {
  const isRange = from !== undefined || to !== undefined;
  const given = [event !== undefined, isRange, failed === true, since !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw invalidUsage('which events? Say one of --event, --from with --to, --failed, --since.');
  }
  if (event !== undefined) return { which: 'EVENT', eventGuid: event };
  if (since !== undefined) return { which: 'SINCE', since: await instant(since) };
  if (failed) return { which: 'FAILED' };
  if (from === undefined) throw invalidUsage(`--to ${to} from where on? Say it with --from.`);
  const toPosition = to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return { which: 'RANGE', fromPosition: Number(from), toPosition };
}

/** Why there is nothing: dead letters of test events are counted elsewhere, and stay. */
async function nothingShown(
  remote: Remote,
  { which }: ReplayWebhooks,
  replay: WebhookReplay,
): Promise<Shown> {
  const nothing = 'There is no such event: nothing is sent again.';
  if (which !== 'FAILED') return said(replay, nothing);
  const query = { endpointGuid: replay.endpointGuid, state: 'DEAD' };
  const { results } = await readPages<WebhookDelivery>(remote, DELIVERIES, query, LOOKED_AT);
  const { length } = results.filter(({ isTest }) => isTest);
  if (length === 0) return said(replay, nothing);
  const [are, is] = length === 1 ? ['is of a test event', 'is'] : ['are of test events', 'are'];
  return said(
    replay,
    `${counted(length, 'dead letter')} ${are}, which ${is} not sent again: nothing is sent. ` +
      '"servery webhooks drop" gives one up for good.',
  );
}

function replayShown(replay: WebhookReplay): Shown {
  const are = replay.isDryRun ? 'would be' : replay.count === 1 ? 'is' : 'are';
  const [first = '', ...others] = whatOf(replay);
  return said(replay, `${first.toUpperCase()}${others.join('')}, ${are} sent again.`);
}

function whatOf({ count, firstPosition, lastPosition }: WebhookReplay): string {
  const what = count === 1 ? 'one event' : `${count} events`;
  return firstPosition === null
    ? what
    : `${what}, from position ${firstPosition} to ${lastPosition}`;
}

function readPosition(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw invalidUsage(`${JSON.stringify(text)} is no position: write a whole number.`);
}
