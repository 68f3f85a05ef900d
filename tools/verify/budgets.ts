/**
 * Several servers on one database let no more through than the budget of a client allows, however
 * many requests it sends to all of them at once (API-7): `npm run verify:budgets`. A window is one
 * second of one client at one restaurant. Exit code 1 if more passed in any.
 */
import { brandedHeaders } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { BudgetSeconds } from '../../packages/server/test/boot/workers/budget-seconds.ts';
import { useRunFolder } from '../run-folder.ts';
import { loginOf, tokenIn } from './staleness/back-office.ts';
import { buildStage } from './staleness/stage.ts';
import { openWire, textOf } from './staleness/wire.ts';

const PATH = '/config/v2/tables';
const PROGRESS_MS = 10_000;
/** Requests under way of each client, restaurant and server. */
const AT_ONCE = 2;
/** After a refusal. Retry-After is not obeyed. */
const PAUSE_MS = 40;

const line = {
  command: 'npm run verify:budgets',
  about:
    'Sends more requests to several servers on one database than the budgets allow, and counts ' +
    'what passes in each second. Exit code 1 if it is ever more than the budget.',
  words: null,
  flags: {
    windows: wholeNumber('how many windows, with requests refused in each', 1_000, 1),
    processes: wholeNumber('servers on the database', 4, 1),
    limit: wholeNumber('requests of a client at a restaurant in a second', 17, 4),
  },
};

// Whatever was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { windows, processes, limit } = readOrEnd(() =>
  readArguments(line, process.argv.slice(2)),
).values;
const removeRunFolder = useRunFolder();
process.once('exit', removeRunFolder);
const stage = await buildStage(processes, { env: { SERVERY_RATE_LIMIT_PER_SECOND: `${limit}` } });
const { ask, close } = openWire(stage.urls);
const { demo } = stage;
const { restaurantExternalId } = brandedHeaders(demo.brand);

/** What one client is answered at one restaurant, by all servers. */
interface Budget {
  readonly headers: Readonly<Record<string, string>>;
  readonly watched: BudgetSeconds;
}

try {
  const budgets = await findBudgets();
  const judged = () => budgets.flatMap(({ watched }) => watched.full());
  const isOver = () => judged().length >= windows;
  const servers = stage.urls.keys().toArray();
  const work = budgets.flatMap((budget) =>
    servers.flatMap((server) =>
      Array.from({ length: AT_ONCE }, () => load(budget, server, isOver)),
    ),
  );
  console.log(`${budgets.length} budgets of ${limit} requests a second at ${processes} servers`);
  await Promise.all([...work, keepTelling(() => judged().length, isOver)]);
  const passed = judged().map(({ left }) => left.length);
  const sum = passed.reduce((total, one) => total + one, 0);
  const refused = judged().reduce((total, second) => total + second.refused, 0);
  const above = passed.filter((count) => count > limit).length;
  console.log(
    `${passed.length} windows: ${sum} requests passed of ${limit * passed.length} at most, ` +
      `${refused} were refused; ${Math.min(...passed)} to ${Math.max(...passed)} in a window`,
  );
  console.log(`${above} windows with more than the budget`);
  process.exitCode = above === 0 ? 0 : 1;
} finally {
  close();
  await stage.close();
}
process.exit();

/** Of the demo partner at each of its restaurants. */
async function findBudgets(): Promise<Budget[]> {
  const login = await ask(0, loginOf(demo.clients.partner));
  if (!login) throw new Error('the partner does not get in');
  const authorization = `Bearer ${tokenIn(textOf(login))}`;
  const budgets: Budget[] = [];
  for (const { guid } of demo.restaurants) {
    const headers = { authorization, [restaurantExternalId]: guid };
    const answer = await ask(0, { method: 'GET', path: PATH, headers });
    // The partner is not connected to all restaurants.
    if (answer?.status === 200) budgets.push({ headers, watched: new BudgetSeconds() });
  }
  return budgets;
}

async function load({ headers, watched }: Budget, server: number, isOver: () => boolean) {
  while (!isOver()) {
    let status = 0;
    await watched.watch(async () => {
      const answer = await ask(server, { method: 'GET', path: PATH, headers });
      if (!answer) throw new Error(`server ${server} did not answer`);
      ({ status } = answer);
      return answer;
    });
    if (status === 429) await sleep(PAUSE_MS);
    else if (status !== 200) throw new Error(`server ${server} answered ${status}`);
  }
}

async function keepTelling(count: () => number, isOver: () => boolean): Promise<void> {
  const SLICE_MS = 250;
  for (let nextAt = performance.now() + PROGRESS_MS; !isOver(); await sleep(SLICE_MS)) {
    if (performance.now() < nextAt) continue;
    nextAt += PROGRESS_MS;
    console.log(`${count()} windows`);
  }
}
