import { partnerScopes, scopesFor } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import {
  type ClientCredentials,
  createClient,
} from '../../../packages/server/src/clients/clients.ts';
import type { Database, Sql } from '../../../packages/server/src/database/database.ts';
import {
  deriveGroupGuid,
  derivePartnerGuid,
  deriveRestaurantGuid,
} from '../../../packages/server/src/group-document/identity.ts';
import { importGroup } from '../../../packages/server/src/group-document/import.ts';
import { readGroupDocument } from '../../../packages/server/src/group-document/read-document.ts';
import { findGroupName } from '../../../packages/server/src/restaurants/write-store.ts';
import { fillBare } from './bare-tables.ts';
import { filledDocument, PARTNERS, PATTERN_ITEMS, restaurantName } from './pattern.ts';
import { insertOpenPayments, type OpenPayments } from './payment-store.ts';
import {
  findCopyCount,
  insertEventCopies,
  insertRestaurantCopies,
  type Pattern,
  updateStatistics,
} from './restaurant-store.ts';

/** How much there is to be in the end, and what falls due when. */
export interface FillOptions {
  /** Restaurants with a small house each; those that are there already count. */
  readonly restaurants: number;
  /** A restaurant more for each of these numbers of items. */
  readonly items: readonly number[];
  /** Payments that wait for their capture deadlines, spread over the days to come. */
  readonly applied: number;
  /** Authorizations that nobody applies: they fall due one after the other. */
  readonly authorized: number;
  readonly duePerSecond: number;
  /** How soon the first of them falls due. */
  readonly dueInMs: number;
  /** What GUIDs are derived from; applied payments are filled in once for each. */
  readonly seed: string;
  /** False leaves it to the database to find out, later, how much there is. */
  readonly countsAll: boolean;
  /**
   * True when nobody else uses the database: it has no indexes while much is filled in, and its
   * tables are locked. Much quicker where there is much, and the same in the end.
   */
  readonly isAlone: boolean;
}

/** What fillings lean on. */
export interface FillDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly tell: (line: string) => void;
}

/** What there is afterwards, for whoever calls it. */
export interface Filled {
  /** It is connected with every restaurant. */
  readonly partnerGuid: string;
  /** Of this partner. */
  readonly partner: ClientCredentials;
  /** Of the back office of the whole platform. */
  readonly backOffice: ClientCredentials;
  /**
   * The restaurants are numbered from 1; each has this GUID with the number, in hexadecimal, in its
   * last 12 digits.
   */
  readonly restaurants: { readonly pattern: string; readonly count: number };
  /** Those with other numbers of items. */
  readonly large: readonly { readonly items: number; readonly guid: string }[];
  /** When the first and the last of the unapplied authorizations fall due, in epoch ms. */
  readonly due: { readonly firstMs: number; readonly lastMs: number } | null;
}

/** Restaurants and payments in one transaction: enough to be quick, few enough to see it go on. */
const RESTAURANTS_AT_ONCE = 2_500;
const PAYMENTS_AT_ONCE = 10_000;
/** Without indexes the pattern is looked for in all that is there: seldom, then. */
const RESTAURANTS_AT_ONCE_ALONE = 25_000;
/** Transactions under way at once. */
const LANES = 2;
/** What copies of restaurants, and payments, are rows of; without tables that change beside. */
const RESTAURANT_TABLES = [
  ...['restaurant', 'publication', 'published_change', 'configuration_object'],
  ...['stock', 'stock_change', 'connection', 'connection_change', 'partner_event'],
];
const PAYMENT_TABLES = ['payment', 'payment_event', 'payment_guest', 'payment_attempt'];
const APPLY_WINDOW_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Capture deadlines lie within seven days; the next hours are left to what is measured. */
const CAPTURES_FROM_MS = 12 * HOUR_MS;
const CAPTURES_UNTIL_MS = 167 * HOUR_MS;
/** Payments keep to so many restaurants, as busy ones do. */
const PAYING_RESTAURANTS = 10_000;

/**
 * Fills a migrated database: one restaurant through the import of the program, all others as copies
 * of its rows, and open payments with their histories. Called again it adds what is missing.
 */
export async function fillDatabase(deps: FillDeps, options: FillOptions): Promise<Filled> {
  const { database, tell } = deps;
  const { seed, items } = options;
  const pattern = await importPattern(deps, `Filled Plates ${seed}`, [PATTERN_ITEMS]);
  const large: { items: number; guid: string }[] = [];
  for (const size of items) {
    const group = `Filled Plates ${seed} of ${size}`;
    const { restaurantGuid: guid } = await importPattern(deps, group, [size]);
    large.push({ items: size, guid });
    tell(`a restaurant with ${size} items`);
  }
  const count = await fillRestaurants(deps, pattern, options);
  const accounts = await makeAccounts(deps, pattern);
  const due = await fillPayments(deps, pattern, { ...options, restaurants: count }, accounts);
  if (options.countsAll) await updateStatistics(database.sql);
  const restaurants = { pattern: pattern.restaurantGuid, count };
  const [partnerGuid = ''] = pattern.partnerGuids;
  return { partnerGuid, ...accounts, restaurants, large, due };
}

/** Imports a group with a restaurant of each size, where it is not there yet. */
async function importPattern(
  deps: FillDeps,
  group: string,
  sizes: readonly number[],
): Promise<Pattern> {
  const groupGuid = deriveGroupGuid(group);
  const [first = 0] = sizes;
  if ((await findGroupName(deps.database.sql, groupGuid)) === null) {
    await importGroup(deps, readGroupDocument(JSON.stringify(filledDocument(group, sizes))));
  }
  return {
    groupGuid,
    restaurantGuid: deriveRestaurantGuid(groupGuid, restaurantName(first)),
    partnerGuids: Array.from({ length: PARTNERS }, (_, index) =>
      derivePartnerGuid(`Filled Partner ${index + 1}`),
    ),
  };
}

/** Copies until there are so many; gives how many there are. */
async function fillRestaurants(
  deps: FillDeps,
  pattern: Pattern,
  { restaurants: wanted, isAlone }: FillOptions,
): Promise<number> {
  const known = await findCopyCount(deps.database.sql, pattern);
  if (known >= wanted) return known;
  const size = isAlone ? RESTAURANTS_AT_ONCE_ALONE : RESTAURANTS_AT_ONCE;
  const batches = { first: known + 1, last: wanted, size, isAlone };
  await inBatches(deps, RESTAURANT_TABLES, batches, async (sql, first, last) => {
    await insertRestaurantCopies(sql, pattern, first, last);
    // Positions of events follow one another: what others insert at the same time is not behind.
    if (isAlone) await insertEventCopies(sql, pattern, first, last);
    deps.tell(`restaurants ${first} to ${last} of ${wanted}`);
  });
  if (!isAlone) await insertEventCopies(deps.database.sql, pattern, known + 1, wanted);
  return wanted;
}

async function makeAccounts(
  { database, vault, clock }: FillDeps,
  { partnerGuids }: Pattern,
): Promise<Pick<Filled, 'partner' | 'backOffice'>> {
  const client = { sql: database.sql, vault };
  const [partnerGuid = ''] = partnerGuids;
  const nowMs = clock.nowMs();
  const partner = { name: 'Filled partner', type: 'PARTNER', partnerGuid } as const;
  const office = { name: 'Filled office', type: 'BACK_OFFICE' } as const;
  return {
    partner: await createClient(client, { ...partner, scopes: partnerScopes }, nowMs),
    backOffice: await createClient(client, { ...office, scopes: scopesFor('BACK_OFFICE') }, nowMs),
  };
}

/** Those that fall due next come last: the way there takes minutes. */
async function fillPayments(
  deps: FillDeps,
  pattern: Pattern,
  options: FillOptions,
  { partner: { clientId } }: Pick<Filled, 'partner'>,
): Promise<Filled['due']> {
  const { applied, authorized, duePerSecond, dueInMs, seed } = options;
  const lastMs = dueInMs + ((authorized - 1) * 1_000) / duePerSecond;
  if (lastMs > APPLY_WINDOW_MS) {
    throw new Error('no authorization falls due later than in 5 minutes: fewer, or more a second');
  }
  const shared = {
    clientId,
    patternGuid: pattern.restaurantGuid,
    restaurants: Math.min(options.restaurants, PAYING_RESTAURANTS),
  };
  await insertPayments(
    deps,
    { count: applied, isAlone: options.isAlone },
    {
      ...{ ...shared, state: 'APPLIED', seed: `${seed}/applied` },
      firstDue: new Date(deps.clock.nowMs() + CAPTURES_FROM_MS),
      stepMs: (CAPTURES_UNTIL_MS - CAPTURES_FROM_MS) / Math.max(applied, 1),
    },
  );
  const nowMs = deps.clock.nowMs();
  // Few, and while the clock runs towards them: their tables stay whole.
  await insertPayments(
    deps,
    { count: authorized, isAlone: false },
    {
      ...{ ...shared, state: 'AUTHORIZED', seed: `${seed}/${nowMs}` },
      firstDue: new Date(nowMs + dueInMs),
      stepMs: 1_000 / duePerSecond,
    },
  );
  if (authorized === 0) return null;
  return { firstMs: nowMs + dueInMs, lastMs: nowMs + lastMs };
}

async function insertPayments(
  deps: FillDeps,
  { count, isAlone }: { readonly count: number; readonly isAlone: boolean },
  payments: OpenPayments,
): Promise<void> {
  if (count === 0) return;
  if (payments.restaurants === 0) throw new Error('payments need a restaurant');
  const batches = { first: 0, last: count - 1, size: PAYMENTS_AT_ONCE, isAlone };
  await inBatches(deps, PAYMENT_TABLES, batches, async (sql, first, last) => {
    await insertOpenPayments(sql, payments, first, last);
    deps.tell(`${payments.state} payments up to ${last + 1} of ${count}`);
  });
}

/** Consecutive numbers from `first` to `last`, in pieces of `size`. */
interface Batches {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly isAlone: boolean;
}

/** Runs for each piece: some at once, each in a transaction, or alone in one for all of them. */
async function inBatches(
  { database }: FillDeps,
  tables: readonly string[],
  { first, last, size, isAlone }: Batches,
  run: (sql: Sql, first: number, last: number) => Promise<void>,
): Promise<void> {
  const runPiece = (sql: Sql, from: number) => run(sql, from, Math.min(from + size - 1, last));
  if (isAlone) {
    const runAll = async (sql: Sql) => {
      for (let from = first; from <= last; from += size) await runPiece(sql, from);
    };
    await database.transaction((sql) => fillBare(sql, tables, () => runAll(sql)));
    return;
  }
  let next = first;
  const lane = async () => {
    while (next <= last) {
      const from = next;
      next += size;
      await database.transaction((sql) => runPiece(sql, from));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
