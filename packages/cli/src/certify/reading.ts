/** Scenarios of an integration that copies the configuration: the task `sync`. */
import type { LoggedRequestDetails } from '@servery/contract';
import type { Run } from './integration.ts';
import type { Scenario } from './scenario.ts';
import {
  type Finding,
  failed,
  neverHappened,
  notChecked,
  passed,
  type Requests,
  type Stage,
} from './stage.ts';

const WALK = 'configuration.menuItems.list';
const LOGIN = /^auth\.(login|token)$/;
const PAGE = 300;
/** Less than the time that a request takes to arrive. */
const EARLY_MS = 20;
const WAIT_SECONDS = 2;
const OFTEN = 2;

export const readingScenarios: readonly Scenario[] = [
  {
    name: 'pages',
    task: 'sync',
    title: 'reads every page of a collection',
    rule: 'CFG-9',
    run: async (stage) => {
      const run = await stage.run('sync');
      const walk = await walkOf(stage);
      if (walk.length === 0) return neverAsked(WALK);
      return judgeWalk(stage, walk, run, 'stopped before the last page');
    },
  },
  {
    name: 'publication-between-pages',
    task: 'sync',
    title: 'starts again when a publication comes between two pages',
    rule: 'CFG-9',
    run: async (stage) => {
      await stage.order({ kind: 'publicationBetweenPages' }, WALK);
      const run = await stage.run('sync');
      const walk = await walkOf(stage);
      const hit = walk.findIndex(({ status }) => status === 409);
      if (hit < 0) return neverHappened();
      return judgeWalk(stage, walk.slice(hit), run, 'did not read all pages after the 409');
    },
  },
  {
    name: 'too-many-requests',
    task: 'sync',
    title: 'waits as long as Retry-After of a 429 says',
    rule: 'API-7',
    run: async (stage) => {
      const fault = { kind: 'tooManyRequests', retryAfterSeconds: WAIT_SECONDS } as const;
      await stage.order(fault, WALK, OFTEN);
      await stage.run('sync');
      const walk = await walkOf(stage);
      const hits = walk.filter(({ status }) => status === 429);
      if (hits.length === 0) return neverHappened();
      const early = walk.filter((request, index) => {
        const before = walk[index - 1];
        return before?.status === 429 && apartMs(before, request) < WAIT_SECONDS * 1_000 - EARLY_MS;
      });
      if (early.length > 0) return failed('It asked again before Retry-After was over.', early);
      return cameThrough(walk, hits, 'It gave up after a 429.');
    },
  },
  {
    name: 'unavailable',
    task: 'sync',
    title: 'asks again after a 503',
    rule: 'API-1',
    run: async (stage) => {
      await stage.order({ kind: 'status', status: 503 }, WALK, OFTEN);
      await stage.run('sync');
      const walk = await walkOf(stage);
      const hits = walk.filter(({ status }) => status === 503);
      if (hits.length === 0) return neverHappened();
      return cameThrough(walk, hits, 'It gave up after a 503.');
    },
  },
  {
    name: 'token-kept',
    task: 'sync',
    title: 'keeps its token instead of logging in for every call',
    rule: 'AUTH-3',
    run: async (stage) => {
      await stage.run('sync');
      const log = await stage.log();
      const logins = log.filter(({ operation }) => LOGIN.test(operation ?? ''));
      const calls = log.filter(({ operation }) => !LOGIN.test(operation ?? ''));
      if (calls.length < 2) return notChecked('It made fewer than two calls.');
      if (logins.length <= 1) return passed([...logins, ...calls]);
      return failed(`It logged in ${logins.length} times for ${calls.length} calls.`, logins);
    },
  },
  {
    name: 'token-ends',
    task: 'sync',
    title: 'logs in again when its token ends in the middle',
    rule: 'AUTH-5',
    run: async (stage) => {
      // The first page is only late: a new token that is refused at once would be another thing.
      await stage.order({ kind: 'latency', duration: 'PT0.01S' }, WALK);
      await stage.order({ kind: 'expiredToken' }, WALK);
      await stage.run('sync');
      const log = await stage.log();
      const hits = log.filter(({ operation, status }) => operation === WALK && status === 401);
      const [hit] = hits;
      if (!hit) return neverHappened();
      const later = log.slice(log.indexOf(hit) + 1);
      const again = later.find(({ operation, status }) => operation === WALK && status === 200);
      if (!again) return failed('It did not repeat the call with a new token.', hits);
      return passed([hit, again]);
    },
  },
  {
    name: 'unknown-values',
    task: 'sync',
    title: 'accepts unknown fields and unknown values of choices',
    rule: 'API-9',
    run: async (stage) => {
      await stage.order({ kind: 'unknownValues' }, WALK);
      const run = await stage.run('sync');
      const log = await stage.log();
      const hits = log.filter(({ fault }) => fault?.startsWith('unknownValues'));
      const [hit] = hits;
      if (!hit) return neverHappened();
      if (run.code !== 0) return failed(endedWith(run), hits);
      const next = log[log.indexOf(hit) + 1];
      return next ? passed([hit, next]) : failed('It stopped there.', hits);
    },
  },
];

async function walkOf(stage: Stage): Promise<Requests> {
  return await stage.logOf(/^configuration\.menuItems\.list$/);
}

/** Whether the last walk from a first page on reached the last page. */
async function judgeWalk(
  stage: Stage,
  walk: Requests,
  run: Run,
  otherwise: string,
): Promise<Finding> {
  const items = await stage.countOfItems();
  const pages = Math.ceil(items / PAGE);
  const answered = walk.filter(({ status }) => status === 200);
  const start = answered.findLastIndex(({ query }) => !query.pageToken);
  const last = start < 0 ? [] : answered.slice(start);
  const tokens = new Set(last.map(({ query }) => query.pageToken ?? ''));
  if (tokens.size >= pages) return passed(last);
  const why = `It ${otherwise}: ${tokens.size} of ${pages} pages.`;
  return failed(run.code === 0 ? why : `${why} ${endedWith(run)}`, walk);
}

/** Whether the call that was turned away was answered in the end. */
function cameThrough(walk: Requests, hits: Requests, otherwise: string): Finding {
  const last = walk.at(-1);
  return last?.status === 200 ? passed([...hits, last]) : failed(otherwise, hits);
}

function apartMs(one: LoggedRequestDetails, other: LoggedRequestDetails): number {
  return Date.parse(other.realAt) - Date.parse(one.realAt);
}

function neverAsked(operation: string): Finding {
  return notChecked(`It never called ${operation}.`);
}

function endedWith({ code, output, isLate }: Run): string {
  const how = isLate ? 'It did not end within a minute' : `It ended with exit code ${code}`;
  return output === '' ? `${how}.` : `${how}:\n${output}`;
}
