import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { brandedHeaders, type OperationId } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { type Lots, lotsOf } from '../../../../tools/verify/crash/random.ts';
import { createSandbox, logIn, type Place, type Received, type Sent } from './place.ts';

export interface IsolationReport {
  readonly steps: ReadonlyMap<Step, number>;
  /** How often a view of one place was compared with what it showed before. */
  readonly comparisons: number;
}

/** Somebody's place, and what it must show. */
interface Player {
  readonly name: string;
  readonly place: Place;
  readonly items: readonly string[];
  readonly seen: Map<View, unknown>;
  secretGuid: string | null;
  endpointGuid: string | null;
  partnerGuid: string | null;
  isConnected: boolean;
}

interface Asked {
  readonly player: Player;
  readonly requestId: string;
}

interface Issued {
  readonly player: Player;
  readonly accessToken: string;
}

const ROUND = 50;
const REQUESTS_SOUGHT = 10;
const PAGE = { pageSize: '100' };
const TOKENS_TRIED = 6;
const ITEMS = 3;
const PATIENCE_MS = 60_000;
const LONGEST_MOVE_SECONDS = 900;

const views = [
  'clock',
  'stock',
  'payments',
  'tokens',
  'clients',
  'configuration',
  'connections',
  'webhooks',
  'audit',
] as const;
type View = (typeof views)[number];

/** What a step may change in its own place. */
const effects = {
  clock: views,
  restore: views,
  stock: ['stock', 'audit'],
  payment: ['payments', 'audit'],
  secret: ['tokens', 'clients', 'audit'],
  publication: ['configuration', 'audit'],
  connection: ['connections', 'audit'],
  webhook: ['webhooks', 'audit'],
} as const satisfies Record<string, readonly View[]>;
type Step = keyof typeof effects;
const ownSteps = Object.keys(effects).filter((step) => step !== 'restore') as OwnStep[];
/** It takes as long as a hundred others. */
const RESTORE_SHARE = 0.04;

/**
 * Takes random steps in the main environment and in sandboxes that hold the same objects, by their
 * names. After each, the other places must show what they showed before. Their clocks stand still.
 */
export async function playIsolation(
  main: Place,
  sandboxes: Readonly<Record<string, Place>>,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<IsolationReport> {
  const lots = lotsOf(seed);
  const players = await makePlayers(main, sandboxes);
  const [mainPlayer] = players;
  const issued: Issued[] = [];
  let requests: Asked[] = [];
  const taken = new Map<Step, number>();
  let comparisons = 0;

  const look = async (player: Player, view: View) =>
    view === 'tokens'
      ? await tryTokens(player, issued.slice(-TOKENS_TRIED))
      : await show[view](player);
  const observe = async (player: Player, which: readonly View[]) => {
    const shown = which.map(async (view) => [view, await look(player, view)] as const);
    for (const [view, value] of await Promise.all(shown)) player.seen.set(view, value);
  };
  const compare = async (player: Player, which: readonly View[], told: string) => {
    await Promise.all(
      which.map(async (view) => {
        const what = `${told}: ${view} of ${player.name}`;
        assert.deepEqual(await look(player, view), player.seen.get(view), what);
        comparisons += 1;
      }),
    );
  };

  for (const player of players) await observe(player, views);
  const kept = new Map<Player, ReadonlyMap<View, unknown>>();
  for (const player of players.slice(1)) {
    const sent = { params: { name: player.name }, json: { name: 'kept' } };
    await ask(main, 'operator', 'backOffice.sandboxes.snapshots.create', sent);
    kept.set(player, new Map(player.seen));
  }
  await observe(mainPlayer, ['audit']);

  for (let number = 1; number <= count; number += 1) {
    const step = lots.chance(RESTORE_SHARE) ? 'restore' : lots.pick(ownSteps);
    const player = lots.pick(step === 'restore' ? players.slice(1) : players);
    const others = players.filter((other) => other !== player);
    const told = `seed ${seed}, step ${number}, ${step} in ${player.name}`;
    taken.set(step, (taken.get(step) ?? 0) + 1);
    if (step === 'restore') {
      await restore(main, player);
      requests = requests.filter((asked) => asked.player !== player);
      await observe(mainPlayer, ['audit']);
      for (const [view, shown] of kept.get(player) ?? []) player.seen.set(view, shown);
      await observe(player, ['tokens']);
      await compare(player, views, told);
    } else {
      const before = player.seen.get(changedView[step]);
      const { requestId, accessToken } = await take[step](player, lots);
      requests.push({ player, requestId });
      if (accessToken) issued.push({ player, accessToken });
      // A token that was just issued is tried from now on.
      if (accessToken) await Promise.all(others.map((other) => observe(other, ['tokens'])));
      await observe(player, effects[step]);
      const after = player.seen.get(changedView[step]);
      assert.ok(!isDeepStrictEqual(before, after), `${told}: it changed nothing`);
    }
    const isRound = number % ROUND === 0 || number === count;
    const looked = isRound ? views : new Set([...effects[step].slice(0, 3), lots.pick(views)]);
    await Promise.all(others.map((other) => compare(other, [...looked], told)));
    if (isRound) await checkLogs(players, requests.splice(0).slice(-REQUESTS_SOUGHT));
  }
  return { steps: taken, comparisons };
}

/** A sandbox of its own, a copy of main, and a copy of that. */
export async function makeSandboxes(main: Place): Promise<Record<string, Place>> {
  const own = await createSandbox(main, { name: 'own', from: { profile: 'demo' } });
  const copy = await createSandbox(main, { name: 'copy', from: { sandbox: 'main' } });
  const second = await createSandbox(main, { name: 'second', from: { sandbox: 'copy' } });
  return { own, copy, second };
}

async function makePlayers(
  main: Place,
  sandboxes: Readonly<Record<string, Place>>,
): Promise<[Player, ...Player[]]> {
  const playerOf = async (name: string, place: Place): Promise<Player> => {
    await ask(place, 'operator', 'backOffice.clock.freeze');
    const { restaurant } = place;
    const items = await ask(place, 'partner', 'configuration.menuItems.list', { restaurant });
    const guids = items.body.slice(0, ITEMS).map(({ guid }: { guid: string }) => guid);
    const none = { secretGuid: null, endpointGuid: null, partnerGuid: null, isConnected: false };
    return { name, place, items: guids, seen: new Map(), ...none };
  };
  const others = Object.entries(sandboxes).map(([name, place]) => playerOf(name, place));
  return [await playerOf('main', main), ...(await Promise.all(others))];
}

async function restore(main: Place, player: Player): Promise<void> {
  const sent = { params: { name: player.name }, json: { snapshot: 'kept' } };
  await ask(main, 'operator', 'backOffice.sandboxes.restore', sent);
  Object.assign(player, { secretGuid: null, endpointGuid: null, partnerGuid: null });
  player.isConnected = false;
}

/** No place lets in with a token of another. */
async function tryTokens(player: Player, issued: readonly Issued[]): Promise<unknown> {
  return await Promise.all(
    issued.map(async ({ player: owner, accessToken }) => {
      const { status } = await player.place.with(accessToken, 'platform.whoami');
      const isFree = owner === player || status === 401;
      assert.ok(isFree, `a token of ${owner.name} lets in at ${player.name}: ${status}`);
      return status;
    }),
  );
}

type Shows = Readonly<Record<Exclude<View, 'tokens'>, (player: Player) => Promise<unknown>>>;

const show: Shows = {
  clock: async ({ place }) => {
    const { body } = await ask(place, 'operator', 'backOffice.clock.get');
    return { now: body.now, mode: body.mode };
  },
  stock: async ({ place, items }) => {
    const { restaurant } = place;
    const sent = { restaurant, json: { guids: items } };
    const { body } = await ask(place, 'partner', 'stock.search', sent);
    return body;
  },
  payments: async ({ place }) => await results(place, 'backOffice.payments.list'),
  clients: async ({ place }) => {
    const clients = await results(place, 'backOffice.clients.list');
    return clients.map(({ clientId, secrets }) => [
      clientId,
      secrets.map(({ guid, state }: { guid: string; state: string }) => [guid, state]),
    ]);
  },
  configuration: async ({ place, items: [guid = ''] }) => {
    const { restaurant } = place;
    const id = 'backOffice.configuration.publications.list';
    const publications = await results(place, id, { restaurantGuid: restaurant });
    const sent = { restaurant, params: { guid } };
    const { body } = await ask(place, 'partner', 'configuration.menuItems.get', sent);
    return [publications, body];
  },
  connections: async ({ place }) => {
    const params = { restaurantGuid: place.restaurant };
    return await results(place, 'backOffice.connections.list', params);
  },
  webhooks: async ({ place }) => {
    const endpoints = await results(place, 'backOffice.webhooks.endpoints.list');
    return endpoints.map(({ guid, url, state }) => [guid, url, state]);
  },
  audit: async ({ place }) => {
    const entries = await results(place, 'backOffice.audit.list');
    return entries.map(({ guid }) => guid);
  },
};

type OwnStep = Exclude<Step, 'restore'>;

const changedView: Readonly<Record<OwnStep, View>> = {
  clock: 'clock',
  stock: 'stock',
  payment: 'payments',
  secret: 'clients',
  publication: 'configuration',
  connection: 'connections',
  webhook: 'webhooks',
};

interface Taken {
  readonly requestId: string;
  readonly accessToken?: string;
}
type Takes = Readonly<Record<OwnStep, (player: Player, lots: Lots) => Promise<Taken>>>;

const take: Takes = {
  async clock({ place }, lots) {
    const json = { duration: `PT${lots.between(1, LONGEST_MOVE_SECONDS)}S` };
    return idOf(place, await ask(place, 'operator', 'backOffice.clock.advance', { json }));
  },
  async stock({ place, items }, lots) {
    const { restaurant } = place;
    const level = { status: 'QUANTITY', quantity: lots.between(1, 1_000_000) };
    const sent = { restaurant, json: [{ guid: lots.pick(items), ...level }] };
    return idOf(place, await ask(place, 'partner', 'stock.update', sent));
  },
  async payment({ place }, lots) {
    const received = await place.pay(randomUUID(), lots.between(1, 200));
    assert.equal(received.status, 200, received.text);
    return idOf(place, received);
  },
  async secret(player) {
    const { place, secretGuid } = player;
    const { clientId, userAccessType } = place.demo.clients.readOnly;
    if (secretGuid !== null) {
      const id = 'backOffice.clients.revokeSecret';
      const sent = { params: { clientId, secretGuid } };
      player.secretGuid = null;
      return idOf(place, await ask(place, 'operator', id, sent));
    }
    const sent = { params: { clientId }, json: {} };
    const added = await ask(place, 'operator', 'backOffice.clients.addSecret', sent);
    player.secretGuid = added.body.secretGuid;
    const { clientSecret } = added.body;
    const entered = await logIn(place.url, { clientId, clientSecret, userAccessType });
    assert.equal(entered.status, 200, entered.text);
    return { ...idOf(place, added), accessToken: entered.body.token.accessToken };
  },
  async publication({ place, items: [guid = ''] }) {
    const params = { restaurantGuid: place.restaurant, collection: 'menuItems', guid };
    const id = 'backOffice.configuration.objects.update';
    const name = `Dish ${randomUUID().slice(0, 4)}`;
    await ask(place, 'operator', id, { params, json: { name } });
    const publish = 'backOffice.configuration.publications.publish';
    return idOf(place, await ask(place, 'operator', publish, { params, json: {} }));
  },
  async connection(player) {
    const { place } = player;
    player.partnerGuid ??= (
      await ask(place, 'operator', 'backOffice.partners.create', {
        json: { name: `Partner ${randomUUID()}` },
      })
    ).body.guid;
    const partnerGuid = player.partnerGuid ?? '';
    const params = { restaurantGuid: place.restaurant, partnerGuid };
    const isConnected = !player.isConnected;
    player.isConnected = isConnected;
    const received = isConnected
      ? await ask(place, 'operator', 'backOffice.connections.connect', {
          ...{ params, json: { partnerGuid } },
        })
      : await ask(place, 'operator', 'backOffice.connections.disconnect', {
          ...{ params, json: { reason: 'It was a try.' } },
        });
    return idOf(place, received);
  },
  async webhook(player) {
    const { place, endpointGuid } = player;
    if (endpointGuid !== null) {
      player.endpointGuid = null;
      const sent = { params: { endpointGuid } };
      return idOf(
        place,
        await ask(place, 'operator', 'backOffice.webhooks.endpoints.archive', sent),
      );
    }
    const json = {
      clientId: place.demo.clients.partner.clientId,
      url: `https://hooks.example/${randomUUID()}`,
      // No step makes one, so nothing leaves the machine.
      eventTypes: ['guestOrderStatusUpdated'],
    };
    const made = await ask(place, 'operator', 'backOffice.webhooks.endpoints.create', { json });
    player.endpointGuid = made.body.endpoint.guid;
    return idOf(place, made);
  },
};

async function ask(
  place: Place,
  client: 'operator' | 'partner',
  id: OperationId,
  sent: Sent = {},
): Promise<Received> {
  const received = await place.as(client, id, sent);
  const { status, text } = received;
  assert.ok(status === 200 || status === 201, `${id} at ${place.url}: ${status} ${text}`);
  return received;
}

async function results(place: Place, id: OperationId, params = {}): Promise<Received['body'][]> {
  return (await ask(place, 'operator', id, { params, query: PAGE })).body.results;
}

function idOf(place: Place, { headers }: Received): Taken {
  return { requestId: headers.get(brandedHeaders(place.demo.brand).requestId) ?? '' };
}

async function findLogged(place: Place, requestId: string): Promise<number> {
  const sent = { query: { requestId } };
  const { body } = await ask(place, 'operator', 'backOffice.requests.list', sent);
  return body.results.length;
}

/** Each request is in the log of its place alone. */
async function checkLogs(players: readonly Player[], requests: readonly Asked[]): Promise<void> {
  for (const { player, requestId } of requests) {
    await untilLogged(player.place, requestId);
    for (const { place, name } of players.filter((other) => other !== player)) {
      const found = await findLogged(place, requestId);
      assert.equal(found, 0, `a request of ${player.name} is in the log of ${name}`);
    }
  }
}

/** The log is written a moment later. */
async function untilLogged(place: Place, requestId: string): Promise<void> {
  const limitAt = performance.now() + PATIENCE_MS;
  while ((await findLogged(place, requestId)) === 0) {
    assert.ok(performance.now() < limitAt, `${requestId} is not in the log of ${place.url}`);
    await sleep(50);
  }
}
