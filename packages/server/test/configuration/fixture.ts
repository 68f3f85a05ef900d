import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { CollectionName, OperationId, PartnerCollectionName } from '@servery/contract';
import { makeSql, type Send } from '@servery/postgres/sql.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { createExaminer } from '../../src/configuration/examination/examiner.ts';
import { officeConfigurationHandlers } from '../../src/configuration/office/handlers.ts';
import {
  type ConfigurationDeps,
  configurationHandlers,
} from '../../src/configuration/partner/handlers.ts';
import type { Database, Sql } from '../../src/database/database.ts';
import { withTouching } from '../../src/database/sql.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import type { Caller, Principal, RestaurantContext } from '../../src/http/operation.ts';
import type { Reach } from '../../src/reach/reach.ts';
import { createTestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, NOW_MS, principal, type TestAnswer } from '../request.ts';

/** What a test says of a call beside its operation. */
interface DraftCall {
  readonly collection?: string;
  readonly guid?: string;
  readonly number?: number | string;
  readonly group?: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly by?: Caller;
  readonly reachNow?: () => Promise<Reach>;
}

/** A document of one restaurant's configuration, as a group document writes it. */
export type Configuration = Readonly<Record<string, readonly object[] | object | null>>;

/** A database with what drafts and publishes configuration, and what partners read of it. */
export interface DraftFixture {
  readonly database: Database;
  readonly clock: FixedClock;
  /** Imports a group of one restaurant, or of several; gives them. */
  open(...configurations: readonly Configuration[]): Promise<RestaurantContext[]>;
  /** The same in another currency than euros. */
  openIn(
    currencyCode: string,
    ...configurations: readonly Configuration[]
  ): Promise<RestaurantContext[]>;
  /** `objects.create`, `draft.preview`, `plan` and so on. */
  call(restaurant: RestaurantContext, name: string, call?: DraftCall): Promise<TestAnswer>;
  /** The same, and fails when the answer is not a success; gives its body. */
  done(restaurant: RestaurantContext, name: string, call?: DraftCall): Promise<TestAnswer['body']>;
  /** What partners are answered: every collection, all pages, and the tip withholding; as text. */
  served(restaurant: RestaurantContext): Promise<Record<string, string>>;
  /** The same object by object, under collection and GUID, as text; `since` is a lastModified. */
  servedObjects(restaurant: RestaurantContext, since?: string): Promise<Map<string, string>>;
  /** The GUID of the object of this name, published. */
  guidOf(restaurant: RestaurantContext, collection: CollectionName, name: string): Promise<string>;
  publishNumber(restaurant: RestaurantContext): Promise<number>;
  /** One page of a collection, as partners read it. */
  page(
    restaurant: RestaurantContext,
    collection: PartnerCollectionName,
    pageToken: string,
  ): Promise<TestAnswer>;
  tokenOf(page: TestAnswer): string;
  /** `platform.changes.list`. */
  changes(
    restaurant: RestaurantContext,
    query?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>;
  /** Counts the statements that are sent from now on. */
  countStatements(): () => number;
  drop(): Promise<void>;
}

const CURRENCY = 'EUR';

/** Reaches everything. */
const operator: Principal = principal({ type: 'BACK_OFFICE', clientId: 'operator' });

let groups = 0;

/** Opens a database without any group. */
export async function openDraftFixture(): Promise<DraftFixture> {
  const { database: plain, drop } = await createTestDatabase();
  let statements = 0;
  const database = counted(plain, () => {
    statements += 1;
  });
  const vault = createVault(randomBytes(32));
  const clock = new FixedClock(NOW_MS);
  const examiner = createExaminer();
  const handlers = officeConfigurationHandlers({
    database,
    clock,
    realClock: clock,
    vault,
    examiner,
    config: { brand: 'Platform' },
  });
  const call: DraftFixture['call'] = (restaurant, name, parts = {}) => {
    const id = `backOffice.configuration.${name}` as OperationId;
    const { collection, guid, number, group, body, query, by = operator, reachNow } = parts;
    return callOperation(handlers, id, {
      principal: by as Principal,
      restaurant,
      nowMs: clock.nowMs(),
      params: {
        restaurantGuid: restaurant.guid,
        ...(collection === undefined ? {} : { collection }),
        ...(guid === undefined ? {} : { guid }),
        ...(number === undefined ? {} : { number: String(number) }),
        ...(group === undefined ? {} : { managementGroupGuid: group }),
      },
      ...(query === undefined ? {} : { query }),
      ...(reachNow === undefined ? {} : { reachNow }),
      ...(body === undefined ? {} : { body }),
    });
  };
  const openIn: DraftFixture['openIn'] = async (currencyCode, ...configurations) => {
    groups += 1;
    const document = groupDocument(`Group ${groups}`, configurations, currencyCode);
    const contents = readGroupDocument(JSON.stringify(document));
    await importGroup({ database, vault, clock, realClock: clock }, contents);
    return contents.restaurants.map(({ guid }) => ({
      ...contextOf(guid, contents.group.guid),
      currencyCode,
    }));
  };
  return {
    database,
    clock,
    drop: async () => {
      await examiner.stop();
      await drop();
    },
    call,
    ...partnerOf(partnerHandlers({ database, vault })),
    countStatements: () => {
      const before = statements;
      return () => statements - before;
    },
    open: (...configurations) => openIn(CURRENCY, ...configurations),
    openIn,
    done: async (restaurant, name, parts) => {
      const { status, body } = await call(restaurant, name, parts);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    guidOf: async (restaurant, collection, name) => {
      const [row] = await database.sql<{ guid: string }[]>`
        select guid from configuration_object
        where restaurant_guid = ${restaurant.guid} and collection = ${collection}
          and fields ->> 'name' = ${name}`;
      assert.ok(row, `no ${collection} is called ${name}`);
      return row.guid;
    },
    publishNumber: async (restaurant) => {
      const [row] = await database.sql<{ number: number }[]>`
        select publish_number as number from restaurant where guid = ${restaurant.guid}`;
      return row?.number ?? 0;
    },
  };
}

function partnerHandlers(parts: Pick<ConfigurationDeps, 'database' | 'vault'>) {
  return configurationHandlers({ ...parts, ...idleCaches(parts.database), brand: 'Acme' });
}

const NEXT_PAGE = 'acme-next-page-token';

/** What partners are answered. */
function partnerOf(
  handlers: ReturnType<typeof configurationHandlers>,
): Pick<DraftFixture, 'served' | 'servedObjects' | 'page' | 'tokenOf' | 'changes'> {
  const tokenOf = ({ headers }: TestAnswer) => headers[NEXT_PAGE] ?? '';
  const read = (
    restaurant: RestaurantContext,
    id: OperationId,
    query: Readonly<Record<string, string>>,
  ) => callOperation(handlers, id, { restaurant, query });
  const readAll = async (restaurant: RestaurantContext, id: OperationId, since?: string) => {
    const filter = since === undefined ? {} : { lastModified: since };
    const pages: string[] = [];
    for (let pageToken = ''; ; ) {
      const answer = await read(restaurant, id, { ...filter, pageToken });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      pages.push(JSON.stringify(answer.body));
      pageToken = tokenOf(answer);
      if (pageToken === '') return pages.join('\n');
    }
  };
  const served = async (restaurant: RestaurantContext, since?: string) => {
    const ids = Object.keys(handlers).filter((id) =>
      /^configuration\.(\w+\.list|tipWithholding\.get)$/.test(id),
    );
    const texts = ids.map(
      async (id) => [id, await readAll(restaurant, id as OperationId, since)] as const,
    );
    return Object.fromEntries(await Promise.all(texts));
  };
  return {
    tokenOf,
    changes: (restaurant, query = {}) => read(restaurant, 'platform.changes.list', query),
    page: (restaurant, collection, pageToken) =>
      read(restaurant, `configuration.${collection}.list`, { pageToken }),
    served: (restaurant) => served(restaurant),
    servedObjects: async (restaurant, since) => {
      const entries = Object.entries(await served(restaurant, since)).flatMap(([id, text]) => {
        const collection = id.split('.')[1] ?? '';
        const pages = text.split('\n').flatMap((page) => JSON.parse(page) as { guid: string });
        return pages.map((object): [string, string] => [
          `${collection}/${object.guid}`,
          JSON.stringify(object),
        ]);
      });
      return new Map(entries);
    },
  };
}

/** A database that tells of every statement of its transactions. */
function counted(database: Database, onStatement: () => void): Database {
  return {
    ...database,
    transaction: (run, options) =>
      database.transaction((sql) => run(told(sql, onStatement)), options),
  };
}

function told(sql: Sql, onStatement: () => void): Sql {
  const send: Send = async (strings, values) => {
    onStatement();
    return values === null
      ? await sql.unsafe(String(strings))
      : await sql(strings as TemplateStringsArray, ...values);
  };
  return withTouching(makeSql(send), async (touched, strings, values) => {
    onStatement();
    return await sql.touching(touched)(strings, ...values);
  });
}

export function groupDocument(
  name: string,
  configurations: readonly Configuration[],
  currencyCode = CURRENCY,
) {
  const restaurants = configurations.map((configuration, index) => ({
    key: `restaurant ${index}`,
    info: {
      general: {
        name: `${name} restaurant ${index}`,
        timeZone: 'Europe/Rome',
        currencyCode,
      },
    },
    configuration,
  }));
  return {
    format: 'servery.group/1',
    managementGroup: { name },
    partners: [],
    restaurants,
    connections: [],
  };
}

function contextOf(guid: string, managementGroupGuid: string): RestaurantContext {
  return {
    guid,
    managementGroupGuid,
    timeZone: 'Europe/Rome',
    currencyCode: CURRENCY,
    archived: false,
    publishNumber: 1,
  };
}

/** A small restaurant with a bit of most things that hang together. */
export const BISTRO: Configuration = {
  menus: [{ name: 'Dinner', groups: ['Soups', 'Mains'] }, { name: 'Lunch' }],
  menuGroups: [
    { name: 'Soups', items: ['Minestrone'], subgroups: ['Cold soups'] },
    { name: 'Cold soups', items: ['Gazpacho'] },
    { name: 'Mains', items: ['Risotto'] },
  ],
  menuItems: [
    { name: 'Minestrone', calories: 310, sku: 'S-1' },
    { name: 'Gazpacho', calories: 180 },
    { name: 'Risotto', calories: 640, optionGroups: ['Toppings'] },
    { name: 'Truffle' },
    { name: 'Old special', archived: true },
  ],
  menuOptionGroups: [{ name: 'Toppings', options: ['Truffle'], maxSelections: 2 }],
  taxRates: [{ name: 'VAT', rate: 0.1, roundingType: 'HALF_UP' }],
  serviceCharges: [
    {
      name: 'Cover',
      amountType: 'FIXED',
      amount: 2,
      taxable: true,
      applicableTaxes: ['VAT'],
      criteria: { dineIn: true },
    },
  ],
  discounts: [
    {
      name: 'Happy hour',
      type: 'PERCENT',
      percentage: 20,
      selectionType: 'CHECK',
      promoCodes: [{ code: 'HAPPY', name: 'Happy' }],
    },
  ],
  printers: [{ name: 'Kitchen' }],
  cashDrawers: [{ key: 'till', printer: 'Kitchen' }],
  serviceAreas: [{ name: 'Terrace' }],
  tables: [{ name: 'T1', serviceArea: 'Terrace' }],
};
