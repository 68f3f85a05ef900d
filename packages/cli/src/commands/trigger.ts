import { randomUUID } from 'node:crypto';
import {
  type ClockStatus,
  type Connection,
  type PartnerEvent,
  partnerEventTypes,
  type SentTestEvent,
} from '@servery/contract';
import { readPages } from '../back-office.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { lastPosition, toldEvent } from '../listen/told-event.ts';
import {
  openSession,
  type RemoteDeps,
  type RemoteFlags,
  type Session,
  showJson,
} from '../session.ts';
import { printable } from '../terminal.ts';
import { didYouMean } from '../verbs/did-you-mean.ts';
import { type Finder, finderOn } from '../verbs/finder.ts';

/** The options of `servery trigger`. */
export interface TriggerFlags extends RemoteFlags {
  readonly restaurant?: string;
  readonly partner?: string;
  readonly synthetic?: boolean;
}

type EventType = PartnerEvent['eventType'];
type Trigger = Session & { readonly find: Finder; readonly flags: TriggerFlags };

const AT_MOST = 2_000;
const CHANGED_BY_LENGTH = 8;
const REASON = 'servery trigger partner_removed';

/**
 * `servery trigger EVENT`: makes the change that a partner is told of, in a sandbox;
 * with `--synthetic` only sends an event, made up. Throws CommandFailure, also for a platform that
 * is no sandbox: there a connection is somebody's business.
 */
export async function runTrigger(
  deps: RemoteDeps,
  event: string,
  flags: TriggerFlags,
): Promise<void> {
  const type = partnerEventTypes.find((one) => one === event);
  if (!type) {
    const all = partnerEventTypes.join(', ');
    const meant = didYouMean(event, partnerEventTypes) || '.';
    throw invalidUsage(`${JSON.stringify(event)} is no event${meant} Write one of ${all}.`);
  }
  if (flags.synthetic && flags.restaurant !== undefined) {
    throw invalidUsage('--synthetic changes no restaurant: leave --restaurant out.');
  }
  const session = await openSession(deps, flags);
  const trigger: Trigger = { ...session, find: finderOn(session.remote, session.demo), flags };
  const partnerGuid = await partnerOf(trigger);
  if (flags.synthetic) return synthetic(deps, trigger, type, partnerGuid);
  await requireSandbox(session);
  const before = await lastPosition(session.remote, partnerGuid);
  const changed = await change(trigger, type, partnerGuid);
  const { restaurantName, partnerName, restaurantGuid } = changed;
  const wanted = { eventType: type, restaurantGuid };
  const eventGuid =
    before === null ? null : await toldEvent(session.remote, partnerGuid, before, wanted);
  if (flags.json) return showJson(deps, { ...changed, eventGuid });
  const named = eventGuid === null ? '' : ` (${eventGuid})`;
  const said = `${partnerName} is told ${type} of ${restaurantName}${named}.`;
  deps.terminal.out.write(`${printable(said)}\n`);
}

async function synthetic(
  deps: RemoteDeps,
  { remote, flags }: Trigger,
  eventType: EventType,
  partnerGuid: string,
): Promise<void> {
  const path = `/backoffice/v1/partners/${partnerGuid}/testEvents`;
  const sent = await remote.post<SentTestEvent>(path, { eventType });
  if (flags.json) return showJson(deps, sent);
  const count = sent.deliveryGuids.length;
  const where = count === 1 ? 'one endpoint' : `${count} endpoints`;
  const said = `A made up ${eventType} (${sent.eventGuid}) goes to ${where} and to listeners.`;
  deps.terminal.out.write(`${said}\n`);
}

/** The partner that is named, or the one of the sandbox's account `partner`. */
async function partnerOf({ remote, demo, find, flags }: Trigger): Promise<string> {
  if (flags.partner !== undefined) return find.partner(flags.partner);
  const clientId = demo?.clients.partner?.clientId;
  if (clientId === undefined) throw invalidUsage('which partner? Name it with --partner.');
  const path = `/backoffice/v1/clients/${clientId}`;
  const { partner } = await remote.get<{ partner: { guid: string } | null }>(path);
  if (partner) return partner.guid;
  throw invalidUsage('which partner? Name it with --partner.');
}

async function requireSandbox({ remote }: Session): Promise<void> {
  const { isMovable } = await remote.get<ClockStatus>('/backoffice/v1/clock');
  if (isMovable) return;
  throw new CommandFailure(
    `${remote.baseUrl} is no sandbox, and this would change a connection of a restaurant there: ` +
      'send a made up event with --synthetic, or use "servery connections".',
    exitCodes.invalid,
  );
}

async function change(trigger: Trigger, type: EventType, partnerGuid: string): Promise<Connection> {
  const { remote } = trigger;
  const wantsConnected = type !== 'partner_added';
  const { path, own, connection } = await placeOf(trigger, partnerGuid, wantsConnected);
  switch (type) {
    case 'partner_added': {
      const { externalGroupRef = null, externalRestaurantRef = null } = connection ?? {};
      const body = { partnerGuid, externalGroupRef, externalRestaurantRef };
      return await remote.post<Connection>(path, body);
    }
    case 'partner_updated': {
      const externalRestaurantRef = `trigger-${randomUUID().slice(0, CHANGED_BY_LENGTH)}`;
      return await remote.send<Connection>('PATCH', own, { externalRestaurantRef });
    }
    case 'partner_removed':
      return await remote.post<Connection>(`${own}/disconnect`, { reason: REASON });
  }
}

/** What a named restaurant is not fit for, in names, and what would be. */
async function wrongPlace(
  { remote, demo, flags }: Trigger,
  partnerGuid: string,
  guid: string,
  connection: Connection | null,
): Promise<CommandFailure> {
  const listed = demo?.restaurants.find((one) => one.guid === guid)?.name;
  const restaurant = connection?.restaurantName ?? listed ?? flags.restaurant;
  const path = `/backoffice/v1/partners/${partnerGuid}`;
  const partner = connection?.partnerName ?? (await remote.get<{ name: string }>(path)).name;
  const message =
    connection?.state === 'CONNECTED'
      ? `${restaurant} is connected to ${partner} already: "servery trigger partner_updated" ` +
        'changes that, "servery trigger partner_removed" ends it. Without --restaurant the first ' +
        'that is not connected is taken.'
      : `${restaurant} is not connected to ${partner}: "servery trigger partner_added" connects ` +
        'it. Without --restaurant the first that is connected is taken.';
  return new CommandFailure(message, exitCodes.refused);
}

interface PlaceOfChange {
  /** Of the connections of the restaurant. */
  readonly path: string;
  /** Of the one with the partner. */
  readonly own: string;
  /** As it is or was; null when there never was one. */
  readonly connection: Connection | null;
}

/** The restaurant that is named, or the first that is or is not connected, as is needed. */
async function placeOf(
  trigger: Trigger,
  partnerGuid: string,
  wantsConnected: boolean,
): Promise<PlaceOfChange> {
  const { remote, demo, find, flags } = trigger;
  const open = demo?.restaurants.filter(({ archived }) => !archived) ?? [];
  const named = flags.restaurant === undefined ? null : await find.restaurant(flags.restaurant);
  for (const guid of named ? [named] : open.map((restaurant) => restaurant.guid)) {
    const path = `/backoffice/v1/restaurants/${guid}/connections`;
    const { results } = await readPages<Connection>(remote, path, {}, AT_MOST);
    const connection = results.find((one) => one.partnerGuid === partnerGuid) ?? null;
    const isConnected = connection?.state === 'CONNECTED';
    if (isConnected === wantsConnected) return { path, own: `${path}/${partnerGuid}`, connection };
    // The platform takes some of these in silence: then nobody would be told anything.
    if (named) throw await wrongPlace(trigger, partnerGuid, guid, connection);
  }
  throw invalidUsage(
    wantsConnected
      ? 'no restaurant is connected to the partner: "servery trigger partner_added" connects ' +
          'one, or name one with --restaurant.'
      : 'every restaurant is connected to the partner: "servery trigger partner_removed" ' +
          'disconnects one, or name one with --restaurant.',
  );
}
