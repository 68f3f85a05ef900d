import type { SystemOriginDeps } from '../audit/origin.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../support/log.ts';
import { afterAttempt } from './circuit.ts';
import { updateDeliveriesDueAgain } from './delivery-store.ts';
import {
  type EndpointKey,
  type EndpointStanding,
  updateEndpointStanding,
} from './endpoint-store.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { listStandingsLocked, updateAttempted, updateEndpointsSound } from './outcome-store.ts';
import { recordStandingChange } from './record-standing.ts';

/** What writing attempts down leans on. */
export interface RecordDeps extends SystemOriginDeps {
  readonly database: Database;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Writes attempts down, each with what becomes of its delivery and its endpoint. Gives the places
 * in the list of those that were written; see `updateAttempted` for the others.
 */
export async function recordAttempts(
  deps: RecordDeps,
  made: readonly MadeAttempt[],
): Promise<ReadonlySet<number>> {
  // Most are taken by endpoints that were sound before: one statement for all of them.
  const isPlain = made.every(({ event }) => event.failure === null && !event.isProbe);
  if (!isPlain) return await recordTroubled(deps, made);
  const written = await updateAttempted(deps.database.sql, made);
  const mended = made.filter(({ claimed }) => claimed.failures > 0);
  if (mended.length > 0) await updateEndpointsSound(deps.database.sql, endpointsOf(mended));
  return written;
}

/** Endpoints are locked before deliveries, as by whoever pauses or archives one. */
async function recordTroubled(
  deps: RecordDeps,
  made: readonly MadeAttempt[],
): Promise<ReadonlySet<number>> {
  const { database, log } = deps;
  const { written, changed } = await database.transaction(async (sql) => {
    const standings = await listStandingsLocked(sql, endpointsOf(made));
    const after = new Map(standings.map((each) => [each.endpointGuid, standingAfter(each, made)]));
    const written = await updateAttempted(
      sql,
      made.map((attempt) => held(attempt, after.get(attempt.claimed.endpointGuid))),
    );
    const counted = made.filter((_, index) => written.has(index));
    const changed = [];
    for (const before of standings) {
      const after = standingAfter(before, counted);
      if (after === before) continue;
      await updateEndpointStanding(sql, before, after);
      await recordStandingChange(sql, deps, before, after);
      if (after.state !== before.state) {
        await updateDeliveriesDueAgain(sql, before, after.stateSince);
        changed.push({ before, after });
      }
    }
    return { written, changed };
  });
  for (const change of changed) tell(log, change);
  return written;
}

type Standing = EndpointKey & EndpointStanding;

/**
 * What waits at a paused endpoint waits for the pause to end, in the order in which it was queued.
 */
function held(made: MadeAttempt, standing: EndpointStanding | undefined): MadeAttempt {
  if (made.state !== 'QUEUED' || standing?.state === 'ACTIVE') return made;
  // A clock that went back may be behind the time at which it was queued.
  const dueAt = new Date(Math.min(made.claimed.queuedAt.getTime(), made.event.nowMs));
  return { ...made, dueAt, attempt: { ...made.attempt, nextAt: null } };
}

/** How an endpoint stands after its attempts, in the order in which they ended. */
function standingAfter(before: Standing, made: readonly MadeAttempt[]): EndpointStanding {
  return made
    .filter(({ claimed }) => claimed.endpointGuid === before.endpointGuid)
    .reduce<EndpointStanding>((standing, { event }) => afterAttempt(standing, event), before);
}

/** Nobody is to find out by chance that an endpoint is told nothing. */
function tell(
  log: RecordDeps['log'],
  { before, after }: { readonly before: Standing; readonly after: EndpointStanding },
): void {
  const { partnerGuid, endpointGuid } = before;
  const facts = { partnerGuid, endpointGuid, reason: after.stateReason, detail: after.stateDetail };
  if (after.state === 'PAUSED') {
    log.warn(facts, 'a webhook endpoint was paused; what waits for it is kept');
  } else {
    log.info(facts, 'a webhook endpoint answers again and was resumed');
  }
}

function endpointsOf(made: readonly MadeAttempt[]): readonly string[] {
  return [...new Set(made.map(({ claimed }) => claimed.endpointGuid))];
}

/** Writes down what others make: what comes while one batch is written makes the next one. */
export interface AttemptRecorder {
  /** Resolves when it is written: true, or false for what somebody else took over. */
  record(made: MadeAttempt): Promise<boolean>;
  /** How many wait. */
  readonly waiting: number;
}

const BATCH = 200;
/** So many batches are written at once: the disk is waited for together. */
const WRITERS = 3;

/** Makes a recorder. A batch that fails, fails for all in it. */
export function createRecorder(deps: RecordDeps): AttemptRecorder {
  const waiting: { readonly made: MadeAttempt; readonly end: PromiseWithResolvers<boolean> }[] = [];
  let writing = 0;
  const write = async () => {
    writing += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        const written = await recordAttempts(
          deps,
          batch.map(({ made }) => made),
        );
        for (const [index, { end }] of batch.entries()) end.resolve(written.has(index));
      } catch (error) {
        for (const { end } of batch) end.reject(error);
      }
    }
    writing -= 1;
  };
  return {
    get waiting() {
      return waiting.length;
    },
    record(made) {
      const end = Promise.withResolvers<boolean>();
      waiting.push({ made, end });
      // A second one begins only when there is enough for it to do.
      if (writing === 0 || (writing < WRITERS && waiting.length >= BATCH / 4)) void write();
      return end.promise;
    },
  };
}
