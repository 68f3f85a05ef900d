import { sleep } from '@servery/support/timer.ts';
import { type Lots, lotsOf } from '../crash/random.ts';
import { openOffice } from './back-office.ts';
import { buildFixture } from './build-fixture.ts';
import { keepPublishing } from './change-configuration.ts';
import { keepComingAndGoing, keepConnecting, keepEditing, keepTurning } from './change-rights.ts';
import { keepChangingStock } from './change-stock.ts';
import { checkOrder } from './check-order.ts';
import { type FaultName, hasCome, keepFailing } from './faults.ts';
import type { Account, Fixture, Partner, Place } from './fixture.ts';
import type { ChangeDeps } from './make-change.ts';
import { Reader } from './reader.ts';
import { countReplicaReads } from './replica-reads.ts';
import type { Stage } from './stage.ts';
import { Tally } from './tally.ts';
import { openWire } from './wire.ts';

/** How a run is played. It ends after so many reads, or when the time is over. */
export interface StalenessOptions {
  readonly reads: number;
  /**
   * Before it has so many, and before each fault has come, a slow machine is given more time, up to
   * fifteen times as much.
   */
  readonly leastReads: number;
  readonly durationMs: number;
  /** Requests that are under way at each server. */
  readonly readers: number;
  readonly seed: number;
  /** Which faults come, in which order, and the shortest and longest time between them. */
  readonly faults: readonly FaultName[];
  readonly faultPausesMs: readonly [number, number];
  /** Whether an answer must not go back behind any other one of its process (see ReaderDeps). */
  readonly isStrict: boolean;
  /** Ends the run at so many violations. */
  readonly endsAtViolations: number;
}

/** What a run came to. Durations are milliseconds. */
export interface StalenessReport {
  readonly tally: Tally;
  readonly seconds: number;
  /** States that came to be, of everything together. */
  readonly states: number;
  /** How late changes were last unseen at another process, where they were at all. */
  readonly latenessMs: readonly number[];
  /** What the replica answered to the servers since each was last started; null without one. */
  readonly replicaReads: number | null;
}

const PROGRESS_MS = 10_000;
const PATIENCE = 15;

/**
 * Changes, publishes, revokes and disconnects at all servers of a stage while readers ask them, and
 * judges every answer. `tell` gets a line about how far it is.
 */
export async function playStaleness(
  stage: Stage,
  options: StalenessOptions,
  tell: (line: string) => void,
): Promise<StalenessReport> {
  const lots = lotsOf(options.seed);
  const { ask, close } = openWire(stage.urls);
  const processes = stage.urls.length;
  const call = await openOffice(ask, stage.demo.clients.operator);
  const build = { call, processes };
  const fixture = await buildFixture(build);
  const tally = new Tally();
  const { isStrict } = options;
  const reader = new Reader({ fixture, ask, tally, servers: processes, isStrict });
  for (const account of [...fixture.accounts, fixture.office]) await reader.logIn(0, account);
  const startedAt = performance.now();
  let isFailed = false;
  const { reads, leastReads, durationMs, endsAtViolations, faults } = options;
  const isOver = () => {
    const times = (performance.now() - startedAt) / durationMs;
    const isEnough = tally.reads >= leastReads && faults.every((fault) => hasCome(tally, fault));
    const isLate = times > (isEnough ? 1 : PATIENCE);
    const isDone = tally.reads >= reads || tally.violationCount >= endsAtViolations;
    return isFailed || isLate || isDone;
  };
  const away = new Set<number>();
  const awake = () => awakeOf(processes, away);
  const deps = { fixture, call, ask, reader, tally, processes, awake, isOver };
  const changing = { ...deps, database: stage.database };
  const work = [
    ...changersOf(changing, lots, build),
    ...readersOf(reader, lots, processes, options.readers, isOver),
    keepFailing(
      { stage, reader, tally, lots: lots.stream('faults'), away, isOver },
      faults,
      options.faultPausesMs,
    ),
    keepTelling(tally, tell, isOver),
  ];
  let replicaReads: number | null = null;
  try {
    await Promise.all(work);
    if (stage.replica) replicaReads = await countReplicaReads(call, processes);
  } finally {
    // Whoever failed alone must not keep the others going.
    isFailed = true;
    await Promise.allSettled(work);
    close();
  }
  for (const end of stage.unexpectedEnds) tally.accuse('alive', 'server', end);
  if (replicaReads === 0) tally.accuse('unused', 'replica', 'it answered nothing: see the logs');
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const fault of await checkOrder(stage.database, fixture))
    tally.accuse('order', 'end', fault);
  return { tally, seconds, ...summed(fixture), replicaReads };
}

function awakeOf(processes: number, away: ReadonlySet<number>): number[] {
  const all = Array.from({ length: processes }, (_, server) => server);
  const awake = all.filter((server) => !away.has(server));
  return awake.length > 0 ? awake : all;
}

function changersOf(
  deps: Omit<ChangeDeps, 'lots'>,
  lots: Lots,
  build: Parameters<typeof keepComingAndGoing>[1],
): Promise<void>[] {
  const { fixture } = deps;
  const [r0, r1, r2, r3] = fixture.places as [Place, Place, Place, Place];
  const [one, two] = fixture.partners as [Partner, Partner];
  const [, changing, second] = fixture.accounts as [Account, Account, Account];
  const by = (name: string): ChangeDeps => ({ ...deps, lots: lots.stream(name) });
  return [
    keepPublishing(by('publications'), [r0, r1]),
    keepPublishing(by('publications of r2'), [r2]),
    keepPublishing(by('publications of r3'), [r3]),
    keepChangingStock(by('stock'), [r0, r1], false),
    // The clock is one: only one may move it.
    keepChangingStock(by('stock and clock'), [r2, r3], true),
    keepEditing(by('restaurants'), [r0, r1], false),
    keepEditing(by('r2'), [r2], true),
    keepEditing(by('r3'), [r3], true),
    keepConnecting(by('connections'), [
      [one, r1],
      [one, r3],
      [two, r0],
      [two, r2],
    ]),
    keepTurning(by('changing'), changing),
    keepTurning(by('second'), second),
    keepComingAndGoing(by('mayflies'), build, two),
  ];
}

function readersOf(
  reader: Reader,
  lots: Lots,
  processes: number,
  readers: number,
  isOver: () => boolean,
): Promise<void>[] {
  return Array.from({ length: processes * readers }, async (_, index) => {
    const own = lots.stream(`reader ${index}`);
    while (!isOver()) await reader.poll(index % processes, own);
  });
}

async function keepTelling(
  tally: Tally,
  tell: (line: string) => void,
  isOver: () => boolean,
): Promise<void> {
  const SLICE_MS = 50;
  for (let nextAt = performance.now() + PROGRESS_MS; !isOver(); await sleep(SLICE_MS)) {
    if (performance.now() < nextAt) continue;
    nextAt += PROGRESS_MS;
    tell(`${tally.reads} reads, ${tally.violationCount} violations`);
  }
}

function summed({ subjects }: Fixture): Pick<StalenessReport, 'states' | 'latenessMs'> {
  return {
    states: subjects.reduce((sum, { states }) => sum + states.length, 0),
    latenessMs: subjects.flatMap((subject) => subject.latenessMs()),
  };
}
