import { sleep } from '@servery/support/timer.ts';
import type { Lots } from '../crash/random.ts';
import type { Reader } from './reader.ts';
import type { Stage } from './stage.ts';
import { deleteServerSessions } from './state-store.ts';
import type { Tally } from './tally.ts';

/** What goes wrong on the way: what a process then has in memory it cannot know to be right. */
export type FaultName = 'pause' | 'cut' | 'hang' | 'drop' | 'sessions' | 'kill' | ReplicaFault;

/** What goes wrong with the replica, if there is one. */
export type ReplicaFault = 'replica-lag' | 'replica-hang' | 'replica-kill';

/** What playing faults needs. */
export interface FaultDeps {
  readonly stage: Stage;
  readonly reader: Reader;
  readonly tally: Tally;
  readonly lots: Lots;
  /** Numbers of servers that nobody should ask for a change. */
  readonly away: Set<number>;
  isOver(): boolean;
}

const SHORTEST_MS = 1_500;
const LONGEST_MS = 3_000;
/** Servers give up a replica that is five seconds behind. */
const LONGEST_LAG_MS = 8_000;
/** Reads that are sent to a server that stands still, late enough to be owed what is new. */
const LATE_READS = 8;
const BEFORE_END_MS = 60;
const SLICE_MS = 50;

const counted = (name: FaultName) => `fault: ${name}`;

export function hasCome({ counts }: Pick<Tally, 'counts'>, name: FaultName): boolean {
  return counts.has(counted(name));
}

/** Plays faults of these kinds in their order, again and again, with pauses drawn by lot. */
export async function keepFailing(
  deps: FaultDeps,
  names: readonly FaultName[],
  pausesMs: readonly [number, number],
): Promise<void> {
  const { lots, stage, tally } = deps;
  for (let turn = 0; names.length > 0; turn += 1) {
    const endAt = performance.now() + lots.between(...pausesMs);
    while (!deps.isOver() && performance.now() < endAt) await sleep(SLICE_MS);
    if (deps.isOver()) return;
    const name = names[turn % names.length] as FaultName;
    const server = lots.between(0, stage.servers.length - 1);
    tally.count(counted(name));
    deps.away.add(server);
    try {
      await faults[name](deps, server);
    } finally {
      deps.away.delete(server);
    }
  }
}

const faults: Readonly<Record<FaultName, (deps: FaultDeps, server: number) => Promise<void>>> = {
  async pause(deps, server) {
    const { stage, reader, lots } = deps;
    const victim = stage.servers[server];
    victim?.signal('SIGSTOP');
    await sleep(lots.between(SHORTEST_MS, LONGEST_MS));
    const late = Array.from({ length: LATE_READS }, () => reader.poll(server, lots));
    await sleep(BEFORE_END_MS);
    victim?.signal('SIGCONT');
    await Promise.all(late);
  },
  async cut({ stage, lots }, server) {
    stage.gates[server]?.cut();
    await sleep(lots.between(SHORTEST_MS, LONGEST_MS));
    stage.gates[server]?.open();
  },
  async hang({ stage, lots }, server) {
    stage.gates[server]?.hang();
    await sleep(lots.between(SHORTEST_MS, LONGEST_MS));
    stage.gates[server]?.open();
  },
  async drop({ stage }, server) {
    stage.gates[server]?.drop();
  },
  async sessions({ stage }) {
    await deleteServerSessions(stage.database.sql);
  },
  async kill({ stage }, server) {
    const victim = stage.servers[server];
    await victim?.kill();
    await victim?.start();
  },
  async 'replica-lag'({ stage, lots }) {
    await stage.replica?.pause();
    await sleep(lots.between(SHORTEST_MS, LONGEST_LAG_MS));
    await stage.replica?.resume();
  },
  async 'replica-hang'({ stage, lots }) {
    await stage.replica?.signal('SIGSTOP');
    await sleep(lots.between(SHORTEST_MS, LONGEST_MS));
    await stage.replica?.signal('SIGCONT');
  },
  async 'replica-kill'({ stage, lots }) {
    await stage.replica?.signal('SIGKILL');
    await sleep(lots.between(SHORTEST_MS, LONGEST_MS));
    await stage.replica?.start();
  },
};
