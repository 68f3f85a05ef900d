import { randomUUID } from 'node:crypto';
import { Refused } from '@servery/client/back-office';
import type { ReplayWebhooks, WebhookDelivery, WebhookReplay } from '@servery/contract';
import { type AnyCommand, type Call, command, type Session, type Values } from '../command.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { allOf } from '../find/find.ts';
import { guidOf, position } from '../readers.ts';
import { counted, type Shown, said } from '../shown.ts';
import { as, text, the, toggle } from '../values.ts';
import { since } from '../when.ts';

interface Counted {
  readonly selection: ReplayWebhooks;
  readonly replay: WebhookReplay;
}

const NOT_FOUND = 404;

/** `servery webhooks replay`. */
const options = {
  event: text(
    '<guid>',
    'this event, or the event of this delivery',
    guidOf('an event or a delivery', 'servery webhooks deliveries'),
  ),
  from: text('<position>', 'events from this position', position),
  to: text('<position>', 'with --from: up to this position', position),
  failed: toggle('all dead letters'),
  since: since(text('<instant>', 'everything since: 2h (ago) or ISO 8601'), null),
  dryRun: as(null, toggle('only count them')),
};

export const replay: AnyCommand = command({
  name: 'replay',
  summary: 'Count events, and send them to an endpoint again',
  examples: ['servery webhooks replay hooks.example.com --failed'],
  arguments: { endpoint: the.endpoint },
  options,
  check: ({ options }) => void selectionOf(options),
  operation: 'backOffice.webhooks.replay',
  run: async ({ client, args: { endpoint: endpointGuid }, options, terminal }) => {
    const params = { endpointGuid };
    const asked = selectionOf(options);
    const count = async (selection: ReplayWebhooks): Promise<Counted> => {
      const body = { ...selection, dryRun: true };
      return {
        selection,
        replay: await client.call('backOffice.webhooks.replay', { params, body }),
      };
    };
    const { selection, replay: found } = await countOf({ client }, asked, count);
    if (found.count === 0) return await nothingShown({ client }, asked, found);
    if (options.dryRun) return replayShown(found);
    const { url } = await client.call('backOffice.webhooks.endpoints.get', { params });
    terminal.err.write(`Sending ${whatOf(found)} to ${url} …\n`);
    // What is sent is what was counted, or nothing.
    const body = { ...selection, expectedCount: found.count, requestGuid: randomUUID() };
    return replayShown(await client.call('backOffice.webhooks.replay', { params, body }));
  },
});

/** Counts what was asked for. A GUID of a delivery means its event. */
async function countOf(
  session: Pick<Session, 'client'>,
  asked: ReplayWebhooks,
  count: (selection: ReplayWebhooks) => Promise<Counted>,
): Promise<Counted> {
  const found = await count(asked);
  if (asked.which !== 'EVENT' || found.replay.count > 0) return found;
  const guid = asked.eventGuid ?? '';
  const delivery = await deliveryOf(session, guid);
  const refused = (message: string) => new CommandFailure(message, exitCodes.refused);
  if (delivery === null) {
    throw refused(
      `neither an event of the partner nor a delivery has the GUID ${guid}. ` +
        '"servery webhooks deliveries" shows what there is.',
    );
  }
  if (delivery.isTest) {
    throw refused(
      `${guid} is a test event, and those cannot be replayed. "servery webhooks test" sends ` +
        'another one.',
    );
  }
  const again = await count({ which: 'EVENT', eventGuid: delivery.eventGuid });
  if (again.replay.count > 0) return again;
  throw refused(
    `the event of ${guid} does not belong to the partner of this endpoint, or is no longer kept.`,
  );
}

/** The delivery with this GUID, or one of the event with it; null when there is neither. */
async function deliveryOf(
  { client }: Pick<Session, 'client'>,
  guid: string,
): Promise<WebhookDelivery | null> {
  try {
    const params = { deliveryGuid: guid };
    return await client.call('backOffice.webhooks.deliveries.get', { params });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== NOT_FOUND) throw error;
  }
  const query = { eventGuid: guid };
  const page = await client.list('backOffice.webhooks.deliveries.list', { query }, 1);
  return page.results[0] ?? null;
}

function selectionOf({
  event,
  from,
  to,
  failed,
  since: at,
}: Call<Values, typeof options>['options']): ReplayWebhooks {
  const isRange = from !== undefined || to !== undefined;
  const given = [event !== undefined, isRange, failed === true, at !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw invalidUsage('which events? Use one of --event, --from with --to, --failed, --since.');
  }
  if (event !== undefined) return { which: 'EVENT', eventGuid: event };
  if (at !== undefined) return { which: 'SINCE', since: at };
  if (failed) return { which: 'FAILED' };
  if (from === undefined) throw invalidUsage(`--to ${to} needs --from.`);
  return { which: 'RANGE', fromPosition: from, toPosition: to ?? Number.MAX_SAFE_INTEGER };
}

/** Why there is nothing: dead letters of test events are counted elsewhere, and stay. */
async function nothingShown(
  { client }: Pick<Session, 'client'>,
  { which }: ReplayWebhooks,
  own: WebhookReplay,
): Promise<Shown> {
  const nothing = 'No event matches. Nothing is sent.';
  if (which !== 'FAILED') return said(own, nothing);
  const query = { endpointGuid: own.endpointGuid, state: 'DEAD' } as const;
  const dead = await allOf(client, 'backOffice.webhooks.deliveries.list', { query });
  const { length } = dead.filter(({ isTest }) => isTest);
  if (length === 0) return said(own, nothing);
  const are = length === 1 ? 'is of a test event' : 'are of test events';
  return said(
    own,
    `${counted(length, 'dead letter')} ${are}, which cannot be replayed. Nothing is sent. ` +
      '"servery webhooks drop" removes a dead letter.',
  );
}

function replayShown(own: WebhookReplay): Shown {
  const are = own.isDryRun ? 'would be' : own.count === 1 ? 'is' : 'are';
  const [first = '', ...others] = whatOf(own);
  return said(own, `${first.toUpperCase()}${others.join('')}, ${are} sent again.`);
}

function whatOf({ count, firstPosition, lastPosition }: WebhookReplay): string {
  const what = count === 1 ? 'one event' : `${count} events`;
  return firstPosition === null
    ? what
    : `${what}, from position ${firstPosition} to ${lastPosition}`;
}
