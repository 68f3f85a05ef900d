import { brandedHeaders, defaultBrand } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { BROUGHT_BACK, COUNTED, guidOf } from './contents.ts';
import type { Place, StockState } from './fixture.ts';
import { type ChangeDeps, keepChanging, makeChange } from './make-change.ts';
import { findIsOut, listQuantities } from './state-store.ts';
import { offUntil, settingsAt } from './stock-levels.ts';

const LONGEST_PAUSE_MS = 250;
/** Every so manieth change takes an item off until the clock brings it back. */
const UNTIL_CHANCE = 0.1;
const SOON_MS = 1_200;
/** Far beyond what passes by itself, so that only a move of the clock leads there. */
const FAR_MS = 120_000;
const POLL_MS = 25;
const LONGEST_WAIT_MS = 30_000;
const { restaurantExternalId } = brandedHeaders(defaultBrand);

/** Changes the stock of restaurants: partners do, the operator, and where `moves` the clock. */
export function keepChangingStock(
  deps: ChangeDeps,
  places: readonly Place[],
  moves: boolean,
): Promise<void> {
  return keepChanging(deps, LONGEST_PAUSE_MS, async () => {
    const place = deps.lots.pick(places);
    if (moves && deps.lots.chance(UNTIL_CHANCE)) await takeOff(deps, place);
    else await setLevels(deps, place);
  });
}

function nextContent({ stock }: Place): number {
  return Math.max(...stock.asked.map(({ content }) => content)) + 1;
}

async function setLevels(deps: ChangeDeps, place: Place): Promise<boolean> {
  const content = nextContent(place);
  const byPartner = place.number < 2 && deps.lots.chance(0.5);
  const changes = settingsAt(place, content);
  return await makeChange(deps, [
    {
      name: byPartner ? 'stock.update' : 'stock set',
      subject: place.stock,
      state: { ...place.stock.latest, content },
      act: (server) =>
        byPartner ? update(deps, place, changes)(server) : set(deps, place, changes)(server),
      isStored: () => isStored(deps, place, content),
    },
  ]);
}

const set =
  ({ call }: ChangeDeps, place: Place, changes: readonly object[]) =>
  async (server: number) => {
    const answer = await call(server, 'POST', `/restaurants/${place.guid}/stock`, { changes });
    return answer?.status === 200;
  };

const update =
  ({ ask, fixture }: ChangeDeps, place: Place, changes: readonly object[]) =>
  async (server: number) => {
    const answer = await ask(server, {
      method: 'PUT',
      path: '/stock/v1/inventory/update',
      headers: {
        authorization: `Bearer ${fixture.steady.tokens[0]?.text}`,
        'content-type': 'application/json',
        [restaurantExternalId]: place.guid,
      },
      body: JSON.stringify(changes),
    });
    return answer?.status === 200;
  };

async function isStored({ database }: ChangeDeps, place: Place, content: number) {
  const guid = guidOf(place, 'menuItems', COUNTED[0]);
  return (await listQuantities(database.sql, place.guid, guid)).includes(content);
}

/** Takes an item off, and lets the clock bring it back: by itself, or because it is moved. */
async function takeOff(deps: ChangeDeps, place: Place): Promise<void> {
  const { call, lots } = deps;
  const clock = await call(lots.pick(deps.awake()), 'GET', '/clock');
  if (clock?.status !== 200) return;
  const nowMs = Date.parse((clock.body as { now: string }).now);
  const isMoved = lots.chance(0.5);
  const until = new Date(nowMs + (isMoved ? FAR_MS : SOON_MS));
  const content = nextContent(place);
  const changes = [...settingsAt(place, content), offUntil(place, until)];
  const isOff = await makeChange(deps, [
    {
      name: 'stock off until',
      subject: place.stock,
      state: { content, isOut: true },
      act: set(deps, place, changes),
      isStored: () => isStored(deps, place, content),
    },
  ]);
  if (!isOff) return;
  const back: StockState = { content, isOut: false };
  if (!isMoved) {
    const change = place.stock.send(back, NOBODY, performance.now());
    await untilBack(deps, place);
    place.stock.settle(change, performance.now());
    deps.tally.count('change: stock restored by itself');
    return;
  }
  let isBack = false;
  while (!isBack) isBack = await makeChange(deps, [moveOf(deps, place, back)]);
}

/** Nobody is asked for what the clock does. */
const NOBODY = -1;

function moveOf(deps: ChangeDeps, place: Place, state: StockState) {
  const isBack = async () => {
    const guid = guidOf(place, 'menuItems', BROUGHT_BACK);
    return !(await findIsOut(deps.database.sql, place.guid, guid));
  };
  return {
    name: 'stock restored by a move of the clock',
    subject: place.stock,
    state,
    async act(server: number) {
      const duration = `PT${Math.ceil((2 * FAR_MS) / 60_000)}M`;
      const answer = await deps.call(server, 'POST', '/clock/advance', { duration });
      return answer?.status === 200 && (await isBack());
    },
    isStored: isBack,
  };
}

async function untilBack({ database }: ChangeDeps, place: Place): Promise<void> {
  const guid = guidOf(place, 'menuItems', BROUGHT_BACK);
  const limitAt = performance.now() + LONGEST_WAIT_MS;
  while (await findIsOut(database.sql, place.guid, guid)) {
    if (performance.now() > limitAt) throw new Error(`${place.tag} does not get its item back`);
    await sleep(POLL_MS);
  }
}
