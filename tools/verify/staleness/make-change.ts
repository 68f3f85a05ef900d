import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Database } from '../../../packages/server/src/database/database.ts';
import type { Lots } from '../crash/random.ts';
import type { OfficeCall } from './back-office.ts';
import type { Fixture } from './fixture.ts';
import type { Reader } from './reader.ts';
import { findIsBusy } from './state-store.ts';
import type { Subject } from './subject.ts';
import type { Tally } from './tally.ts';
import type { Ask } from './wire.ts';

/** What whoever changes something leans on. */
export interface ChangeDeps {
  readonly fixture: Fixture;
  readonly call: OfficeCall;
  readonly ask: Ask;
  readonly reader: Reader;
  readonly database: Database;
  readonly tally: Tally;
  readonly lots: Lots;
  readonly processes: number;
  /** Numbers of the servers that can be asked now. */
  awake(): readonly number[];
  isOver(): boolean;
}

/** One change of one thing. */
export interface Wanted<State> {
  readonly name: string;
  readonly subject: Subject<State>;
  readonly state: State;
  /** Asks a server for it; true when it answered that it is done. */
  act(server: number): Promise<boolean>;
  /** Whether the database has it, where nobody answered so. */
  isStored(): Promise<boolean>;
}

const POLL_MS = 20;
const AT_ONCE_MS = 60_000;

/** Makes changes together, by one request to a server drawn by lot; gives whether they are made. */
export async function makeChange<State>(
  deps: ChangeDeps,
  wanted: readonly Wanted<State>[],
): Promise<boolean> {
  const server = deps.lots.pick(deps.awake());
  const [first] = wanted;
  if (!first) return false;
  const sentMs = performance.now();
  const numbers = wanted.map(({ subject, state }) => subject.send(state, server, sentMs));
  const isDone = await first.act(server);
  if (isDone) {
    const endMs = performance.now();
    for (const [index, { subject }] of wanted.entries()) subject.answer(numbers[index] ?? 0, endMs);
    deps.tally.count(`change: ${first.name}`);
    return true;
  }
  deps.tally.count(`change not answered: ${first.name}`);
  await untilQuiet(deps.database);
  let isMade = false;
  for (const [index, { subject, isStored }] of wanted.entries()) {
    const number = numbers[index] ?? 0;
    if (await isStored()) {
      subject.settle(number, performance.now());
      isMade = true;
    } else if (!subject.drop(number)) {
      deps.tally.accuse('never came to be', first.name, `${subject.name} showed it all the same`);
    }
  }
  return isMade;
}

/** Waits until no transaction is open that was when this was called. */
async function untilQuiet({ sql }: Database): Promise<void> {
  const now = new Date(await readDatabaseTimeMs(sql));
  const limitAt = performance.now() + AT_ONCE_MS;
  while (await findIsBusy(sql, now)) {
    if (performance.now() > limitAt) throw new Error('a transaction of a server does not end');
    await sleep(POLL_MS);
  }
}

/** Repeats a change, with pauses drawn by lot, until the run is over. */
export async function keepChanging(
  deps: ChangeDeps,
  longestPauseMs: number,
  change: () => Promise<unknown>,
): Promise<void> {
  while (!deps.isOver()) {
    await change();
    await sleep(deps.lots.between(0, longestPauseMs));
  }
}
