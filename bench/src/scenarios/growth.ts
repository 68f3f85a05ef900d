import assert from 'node:assert/strict';
import { type Operation, type Parameter, scopesOfRole } from '@servery/contract';
import { record } from '../answers.ts';
import { addressOf, openDatabase } from '../database.ts';
import { type FillFlags, headersOf } from '../filled.ts';
import type { FilledPlatform } from '../fillings.ts';
import {
  findKnown,
  hasCopies,
  insertAlarms,
  insertCopies,
  insertDeliveries,
  updateStatistics,
} from '../growth-store.ts';
import {
  type Asker,
  endsOf,
  filtersOf,
  lists,
  pathOf,
  type Query,
  queryOf,
  tryPage,
  wordsFor,
} from '../lists.ts';
import type { Bench, Contender, Goal, Scenario } from '../scenario.ts';

/** Nothing is answered from memory. Pages of the partner interfaces would be. */
const ENV = { SERVERY_CACHE: '0' };

/** Of the one who reaches a single group. */
const GROUP_SCOPES = scopesOfRole('GROUP_ADMINISTRATOR', 'group');

const ENDPOINTS = '/backoffice/v1/webhooks/endpoints';

/** What does not grow with a platform, or has no pages. */
const SKIPPED: Readonly<Record<string, string>> = {
  'partners.restaurants.list': 'the interface has no pages: every restaurant is in the answer',
  'backOffice.sessions.demoPeople': 'it has the people of the demo',
  'backOffice.me.sessions.list': 'it has the sessions of one person',
  'backOffice.me.views.list': 'it has at most 100 views of one person',
  'backOffice.sandboxes.snapshots.list': 'a sandbox has at most 20',
};

/** Answers are as long if they differ by less: pages of the large platform have more copies. */
const UNEQUAL_FROM = 1.5;

/** There are hundreds of lines, so each may take only a fraction of a second. */
const ASKED_AT_ONCE = 3;
const AGAIN_MS = 300;

/** The acceptance ring asks for all lists. */
const LISTS_OF_SMOKE_RUN = 5;

/** A platform with much or little in it, and who asks it for lists. */
interface Stage {
  readonly askers: Readonly<
    Record<'partner' | 'restaurant' | 'office' | 'connection' | 'group', Asker>
  >;
}

/**
 * The first and last page of every list, and each filter, compared with a small platform: pages
 * with as many results, and answers as long.
 */
export const scenario: Scenario = {
  name: 'growth',
  about:
    'every list at 100,000 restaurants and 1,000,000 payments, beside 1,000 of each, ' +
    'in pages of as many results',
  async run(bench) {
    const { isSmoke } = bench.effort;
    const few = isSmoke ? 10 : 1_000;
    await using little = await startSize(bench, { restaurants: few, applied: few });
    const small = await openStage(bench, little, few);
    // A smoke run asserts nothing that two platforms would be needed for.
    await using much = isSmoke
      ? null
      : await startSize(bench, { restaurants: 100_000, applied: 1_000_000 });
    const large = much ? await openStage(bench, much, 100_000) : small;
    for (const operation of isSmoke ? lists.slice(0, LISTS_OF_SMOKE_RUN) : lists) {
      const reason = SKIPPED[operation.id];
      if (reason === undefined) await compareList(bench, operation, { small, large });
      else bench.skip(operation.id, reason);
    }
  },
};

interface Stages {
  readonly small: Stage;
  readonly large: Stage;
}

/** Who asks both platforms for the same. */
interface Askers {
  readonly few: Asker;
  readonly many: Asker;
}

interface Queries {
  readonly ofFew: Query;
  readonly ofMany: Query;
}

async function compareList(bench: Bench, operation: Operation, stages: Stages): Promise<void> {
  for (const asker of askersOf(operation)) {
    const askers = { few: stages.small.askers[asker], many: stages.large.askers[asker] };
    const { few, many } = askers;
    const told = asker === 'group' ? `${operation.id} of one group` : operation.id;
    const compare = (name: string, { ofFew, ofMany }: Queries, goal: Goal | null) =>
      bench.compare({
        ...{ name, unit: 'ms', goal, againMs: AGAIN_MS },
        product: timeOf('of many', operation, many, ofMany),
        others: [timeOf('of few', operation, few, ofFew)],
      });
    const pages = await equalPages(operation, askers, {
      ofFew: queryOf(operation, few),
      ofMany: queryOf(operation, many),
    });
    const [ofFew, ofMany] = await Promise.all([
      endsOf(operation, few, pages.ofFew),
      endsOf(operation, many, pages.ofMany),
    ]);
    const goal = pages.areEqual ? { atMost: 1.5 } : null;
    await compare(`${told}, first page`, pages, goal);
    if (ofMany.first !== ofMany.last) {
      await compare(`${told}, last page`, { ofFew: ofFew.last, ofMany: ofMany.last }, goal);
    }
    for (const filter of filtersOf(operation)) {
      const { most, least } = await chooseWords(operation, filter, many);
      // What a filter costs depends on how many rows it leaves out.
      for (const index of new Set([most, least])) {
        const filtered = (one: Asker): Query => ({
          ...queryOf(operation, one),
          [filter.name]: wordsFor(filter, one)[index] ?? '',
        });
        const queries = { ofFew: filtered(few), ofMany: filtered(many) };
        const which = index === most ? '' : ', fewest matches';
        const name = `${told} by ${filter.name}${which}`;
        await compare(name, await equalPages(operation, askers, queries), null);
      }
    }
  }
}

/**
 * What a page costs depends on how much it has. If one platform has too few results for a page as
 * large as the other's, both are asked for as many as it has.
 */
async function equalPages(operation: Operation, { few, many }: Askers, queries: Queries) {
  const tryPages = async ({ ofFew, ofMany }: Queries) => {
    const pages = [tryPage(operation, few, ofFew), tryPage(operation, many, ofMany)];
    return (await Promise.all(pages)).map((page) => page ?? { size: 0, bytes: 0 });
  };
  const areEqual = (pages: Awaited<ReturnType<typeof tryPages>>) => {
    const [sizes, bytes] = [pages.map(({ size }) => size), pages.map((page) => page.bytes)];
    const isAsLong = Math.max(...bytes) <= Math.min(...bytes) * UNEQUAL_FROM;
    return Math.min(...sizes) === Math.max(...sizes) && isAsLong;
  };
  const pages = await tryPages(queries);
  const least = Math.min(...pages.map(({ size }) => size));
  if (areEqual(pages) || least === 0 || !('pageSize' in queries.ofFew)) {
    return { ...queries, areEqual: areEqual(pages) };
  }
  const pageSize = String(least);
  const equal = {
    ofFew: { ...queries.ofFew, pageSize },
    ofMany: { ...queries.ofMany, pageSize },
  };
  return { ...equal, areEqual: areEqual(await tryPages(equal)) };
}

/** The value of the filter that matches most, and the slowest of those that match least. */
async function chooseWords(operation: Operation, filter: Parameter, asker: Asker) {
  const query = queryOf(operation, asker);
  const tried: { index: number; size: number; tookMs: number }[] = [];
  for (const [index, word] of wordsFor(filter, asker).entries()) {
    const page = await tryPage(operation, asker, { ...query, [filter.name]: word });
    if (page) tried.push({ index, ...page });
  }
  const ranked = tried.toSorted((a, b) => b.size - a.size || a.tookMs - b.tookMs);
  const [most, least] = [ranked[0], ranked.at(-1)];
  if (!most || !least) throw new Error(`${operation.id} takes nothing as ${filter.name}`);
  return { most: most.index, least: least.index };
}

/** Lists of the whole platform are also asked for by somebody who reaches one group of it. */
function askersOf(operation: Operation): (keyof Stage['askers'])[] {
  const { interface: owner, path, restaurant } = operation;
  if (path.includes('/connections/{')) return ['connection'];
  if (owner === 'backOffice') {
    const isForGroups = GROUP_SCOPES.some((scope) => scope === operation.scope);
    return path.includes('{') || !isForGroups ? ['office'] : ['office', 'group'];
  }
  return restaurant === 'none' && !path.includes('{') ? ['partner'] : ['restaurant'];
}

/** The fastest answer of a short round, because other work on the machine is not growth. */
function timeOf(name: string, operation: Operation, asker: Asker, query: Query): Contender {
  const { platform, headers } = asker;
  const url = platform.url + pathOf(operation, asker, query);
  return {
    name,
    process: platform,
    async measure() {
      let leastMs = Number.POSITIVE_INFINITY;
      for (let asked = 0; asked < ASKED_AT_ONCE; asked += 1) {
        const startedMs = performance.now();
        const { status } = await record(url, { headers });
        assert.equal(status, 200, url);
        leastMs = Math.min(leastMs, performance.now() - startedMs);
      }
      return { value: leastMs };
    },
  };
}

const startSize = (bench: Bench, flags: FillFlags) => bench.startFilled({ env: ENV }, flags);

/** Makes the other lists of the platform as long as said, and logs in. */
async function openStage(bench: Bench, platform: FilledPlatform, others: number): Promise<Stage> {
  const { filled, restaurantGuid } = platform;
  const office = await headersOf(platform, filled.backOffice);
  const { clientId } = filled.partner;
  const sql = openDatabase(await addressOf(platform), 1);
  try {
    if (!(await hasCopies(sql, others))) {
      const receiver = { clientId, url: 'https://receiver.example/growth' };
      const { endpoint } = await post(platform, office, ENDPOINTS, receiver);
      await insertCopies(sql, restaurantGuid, others);
      await insertAlarms(sql, others);
      await insertDeliveries(sql, endpoint.guid, others);
      if (!bench.effort.isSmoke) await updateStatistics(sql);
    }
    const { groupGuid, ownGroupGuid, connectedGuid, ...known } = await findKnown(
      sql,
      restaurantGuid,
      clientId,
    );
    const values = {
      ...{ ...known, restaurantGuid, clientId, partnerGuid: filled.partnerGuid },
      ...{ managementGroupGuid: groupGuid, managementGroupGUID: ownGroupGuid },
      ...{ collection: 'menuItems', cardLast4: '1111' },
    };
    const { client, clientSecret } = await post(platform, office, '/backoffice/v1/clients', {
      ...{ name: 'Growth', type: 'BACK_OFFICE', managementGroupGuid: groupGuid },
      scopes: GROUP_SCOPES,
    });
    const group = await headersOf(platform, { clientId: client.clientId, clientSecret });
    const askers = {
      partner: { platform, headers: await headersOf(platform, filled.partner), values },
      restaurant: { platform, headers: platform.headers, values },
      office: { platform, headers: office, values },
      connection: { platform, headers: office, values: { ...values, partnerGuid: connectedGuid } },
      group: { platform, headers: group, values },
    };
    return { askers };
  } finally {
    await sql.end();
  }
}

async function post({ url }: FilledPlatform, headers: Query, path: string, body: object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.ok, true, `${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
