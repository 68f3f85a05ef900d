import { randomUUID } from 'node:crypto';
import {
  type Connection,
  type EventType,
  eventKinds,
  eventTypes,
  type PartnerEvent,
  type PartnerEventPage,
} from '@servery/contract';
import { type AnyCommand, command, type PlatformCall, type Values } from '../command.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { whatToUse } from '../find/did-you-mean.ts';
import { allOf, nullIfRefused } from '../find/find.ts';
import { quoted } from '../readers.ts';
import { type Shown, said } from '../shown.ts';
import { argument, as, partner, restaurant, text, toggle } from '../values.ts';

type ConnectionEventType = PartnerEvent['eventType'];

const options = {
  restaurant: restaurant(text('<restaurant>', 'name or GUID (default: the first that fits)')),
  partner: partner(
    text('<partner>', 'who gets the event: name or GUID (default: that of the account partner)'),
  ),
  synthetic: toggle('change nothing, and only send a made-up event'),
};
type Trigger = PlatformCall<Values, typeof options>;

const CHANGED_BY_LENGTH = 8;
const REASON = 'servery trigger partner_removed';
const PAGE_SIZE = 200;
/** A person waits for each page: beyond that the event is not looked up. */
const PAGES_AT_MOST = 50;

/** `servery trigger`. In production, a connection is somebody's business: it is refused there. */
export const trigger: AnyCommand = command({
  name: 'trigger',
  summary: 'Cause an event for a partner, in a sandbox',
  examples: [
    'servery trigger partner_updated',
    'servery trigger partner_removed --restaurant "The Early Wren"',
    'servery trigger partner_added --restaurant "The Early Wren"',
    'servery trigger partner_removed --synthetic',
    'servery trigger low_quantity',
  ],
  arguments: { event: as(null, argument(eventTypes.join(', '), readEvent)) },
  options,
  check: ({ args: { event }, options: { synthetic, restaurant: at } }) => {
    if (at === undefined) return;
    if (synthetic) {
      throw invalidUsage('--synthetic changes no restaurant. Leave out --restaurant.');
    }
    if (isOfConnection(event as EventType)) return;
    throw invalidUsage(`A ${event} is always made up. Leave out --restaurant.`);
  },
  run: async (call) => {
    const type = call.args.event as EventType;
    const partnerGuid = call.options.partner ?? (await ownPartner(call));
    if (call.options.synthetic || !isOfConnection(type)) {
      return await synthetic(call, type, partnerGuid);
    }
    await requireSandbox(call);
    const before = await lastPosition(call, partnerGuid);
    const changed = await change(call, type, partnerGuid);
    const { restaurantName, partnerName, restaurantGuid } = changed;
    const wanted = { eventType: type, restaurantGuid };
    const eventGuid = before === null ? null : await toldEvent(call, partnerGuid, before, wanted);
    const event = eventGuid === null ? '' : ` (${eventGuid})`;
    return said(
      { ...changed, eventGuid },
      `${partnerName} gets ${type} for ${restaurantName}${event}.`,
    );
  },
});

function isOfConnection(type: EventType): type is ConnectionEventType {
  return eventKinds[type].category === 'partner';
}

function readEvent(written: string): string {
  if ((eventTypes as readonly string[]).includes(written)) return written;
  const use = whatToUse(written, eventTypes, 'servery trigger --help');
  throw invalidUsage(`${quoted(written)} is not an event${use}`);
}

async function synthetic(
  { client }: Trigger,
  eventType: EventType,
  partnerGuid: string,
): Promise<Shown> {
  const request = { params: { partnerGuid }, body: { eventType } };
  const sent = await client.call('backOffice.webhooks.trigger', request);
  const { length } = sent.deliveryGuids;
  const where = length === 1 ? 'one endpoint' : `${length} endpoints`;
  const event = `A made-up ${eventType} (${sent.eventGuid})`;
  return said(sent, `${event} goes to ${where} and to listeners.`);
}

/** The partner of the sandbox's account `partner`. */
async function ownPartner({ client, demo }: Trigger): Promise<string> {
  const clientId = demo?.clients.partner?.clientId;
  if (clientId !== undefined) {
    const { partner: own } = await client.call('backOffice.clients.get', { params: { clientId } });
    if (own) return own.guid;
  }
  throw invalidUsage('which partner? Name it with --partner.');
}

async function requireSandbox({ client }: Trigger): Promise<void> {
  const { isMovable } = await client.call('backOffice.clock.get');
  if (isMovable) return;
  throw invalidUsage(
    `${client.baseUrl} is not a sandbox, and this would change a connection of a restaurant ` +
      'there. Send a made-up event with --synthetic, or use "servery connections".',
  );
}

async function change(
  call: Trigger,
  type: ConnectionEventType,
  partnerGuid: string,
): Promise<Connection> {
  const { client } = call;
  const { restaurantGuid, connection } = await placeOf(call, partnerGuid, type !== 'partner_added');
  const params = { restaurantGuid, partnerGuid };
  switch (type) {
    case 'partner_added': {
      const { externalGroupRef = null, externalRestaurantRef = null } = connection ?? {};
      const body = { partnerGuid, externalGroupRef, externalRestaurantRef };
      return await client.call('backOffice.connections.connect', { params, body });
    }
    case 'partner_updated': {
      const externalRestaurantRef = `trigger-${randomUUID().slice(0, CHANGED_BY_LENGTH)}`;
      const body = { externalRestaurantRef };
      return await client.call('backOffice.connections.update', { params, body });
    }
    case 'partner_removed': {
      const body = { reason: REASON };
      return await client.call('backOffice.connections.disconnect', { params, body });
    }
  }
}

/** The restaurant that is named, or the first that is or is not connected, as is needed. */
async function placeOf(call: Trigger, partnerGuid: string, wantsConnected: boolean) {
  const { client, demo, options: given } = call;
  const open = demo?.restaurants.filter(({ archived }) => !archived) ?? [];
  const named = given.restaurant;
  for (const restaurantGuid of named ? [named] : open.map(({ guid }) => guid)) {
    const request = { params: { restaurantGuid } };
    const all = await allOf(client, 'backOffice.connections.list', request);
    const connection = all.find((one) => one.partnerGuid === partnerGuid) ?? null;
    const isConnected = connection?.state === 'CONNECTED';
    if (isConnected === wantsConnected) return { restaurantGuid, connection };
    // The platform accepts some of these without a change: no event would follow.
    if (named) throw await wrongPlace(call, partnerGuid, named, connection);
  }
  throw invalidUsage(
    wantsConnected
      ? 'no restaurant is connected to the partner. "servery trigger partner_added" connects one, ' +
          'or name one with --restaurant.'
      : 'every restaurant is connected to the partner. "servery trigger partner_removed" ' +
          'disconnects one, or name one with --restaurant.',
  );
}

async function wrongPlace(
  { client, demo }: Trigger,
  partnerGuid: string,
  guid: string,
  connection: Connection | null,
): Promise<Error> {
  const listed = demo?.restaurants.find((one) => one.guid === guid)?.name;
  const at = connection?.restaurantName ?? listed ?? guid;
  const params = { partnerGuid };
  const own =
    connection?.partnerName ?? (await client.call('backOffice.partners.get', { params })).name;
  return new CommandFailure(
    connection?.state === 'CONNECTED'
      ? `${at} is already connected to ${own}. "servery trigger partner_updated" changes the ` +
          'connection, and "servery trigger partner_removed" ends it. Without --restaurant, the ' +
          'first restaurant that is not connected is used.'
      : `${at} is not connected to ${own}. "servery trigger partner_added" connects it. Without ` +
          '--restaurant, the first restaurant that is connected is used.',
    exitCodes.refused,
  );
}

async function lastPosition(call: Trigger, partnerGuid: string): Promise<number | null> {
  let after = 0;
  for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
    const page = await readEvents(call, partnerGuid, after);
    if (page === null) return null;
    after = page.lastPosition;
    if (page.results.length < PAGE_SIZE) return after;
  }
  return null;
}

/** The GUID of the first event after a position that is about a change; null for none. */
async function toldEvent(
  call: Trigger,
  partnerGuid: string,
  after: number,
  { eventType, restaurantGuid }: Pick<PartnerEvent, 'eventType'> & { restaurantGuid: string },
): Promise<string | null> {
  const page = await readEvents(call, partnerGuid, after);
  const found = page?.results.find(
    ({ event }) => event.eventType === eventType && event.details.restaurantGuid === restaurantGuid,
  );
  return found?.event.guid ?? null;
}

/** An account that may change one restaurant may not read the events of all. */
function readEvents(
  { client }: Trigger,
  partnerGuid: string,
  after: number,
): Promise<PartnerEventPage | null> {
  const request = { params: { partnerGuid }, query: { after, pageSize: PAGE_SIZE } };
  return client.call('backOffice.partners.events', request).catch(nullIfRefused);
}
