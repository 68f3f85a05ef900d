import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { SystemOriginDeps } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../support/log.ts';
import {
  type EndpointKey,
  type EndpointStanding,
  updateEndpointStanding,
} from '../endpoints/endpoint-store.ts';
import { afterAttempt, type CircuitEvent } from './circuit.ts';
import { updateDeliveriesDueAgain } from './delivery-store.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { listStandingsLocked, updateAttempted, updateEndpointsSound } from './outcome-store.ts';
import { recordStandingChange } from './record-standing.ts';

export interface RecordDeps extends SystemOriginDeps {
  readonly database: Database;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** True when the endpoint does not change, except that its failures may end. */
export function isPlain({ event }: MadeAttempt): boolean {
  return event.failure === null && !event.isProbe;
}

/** Returns the indexes of the written attempts; see `updateAttempted` for the others. */
export async function recordPlain(
  { database: { sql } }: RecordDeps,
  made: readonly MadeAttempt[],
): Promise<ReadonlySet<number>> {
  const written = await updateAttempted(sql, made);
  const mended = made.filter(({ hasMended }) => hasMended);
  const endpoints = new Set(mended.map(({ claimed }) => claimed.endpointGuid));
  if (endpoints.size > 0) await updateEndpointsSound(sql, [...endpoints]);
  return written;
}

/** Fails at once, with nothing written, while another transaction holds the endpoint. */
export async function recordTroubled(
  deps: RecordDeps,
  made: readonly MadeAttempt[],
): Promise<ReadonlySet<number>> {
  const [first] = made;
  if (!first) return new Set();
  const done: { change: StandingChange | null } = { change: null };
  const run = async (sql: Database['sql']) => {
    done.change = null;
    // Locks the endpoint before its deliveries, in the same order as a pause or an archive.
    const [before] = await listStandingsLocked(sql, [first.claimed.endpointGuid]);
    const planned = before && standingAfter(before, made);
    const written = await updateAttempted(
      sql,
      made.map((attempt) => held(attempt, planned)),
    );
    if (!before) return written;
    const counted = made.filter((_, index) => written.has(index));
    done.change = { before, after: standingAfter(before, counted) };
    await changeStanding(sql, deps, done.change);
    return written;
  };
  try {
    return await deps.database.transaction(run);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) done.change = null;
    throw error;
  } finally {
    // If the outcome of the commit is unknown, a second message is better than none.
    if (done.change) tell(deps.log, done.change);
  }
}

/** For an endpoint that this process cannot try at all. Deliveries stay unchanged. */
export async function pauseUntried(
  deps: RecordDeps,
  endpointGuid: string,
  event: CircuitEvent,
): Promise<void> {
  const change = await deps.database.transaction(async (sql) => {
    const [before] = await listStandingsLocked(sql, [endpointGuid]);
    const change = before && { before, after: afterAttempt(before, event) };
    if (change) await changeStanding(sql, deps, change);
    return change;
  });
  if (change) tell(deps.log, change);
}

type Standing = EndpointKey & EndpointStanding;

interface StandingChange {
  readonly before: Standing;
  readonly after: EndpointStanding;
}

async function changeStanding(
  sql: Database['sql'],
  deps: RecordDeps,
  { before, after }: StandingChange,
): Promise<void> {
  if (after === before) return;
  await updateEndpointStanding(sql, before, after);
  await recordStandingChange(sql, deps, before, after);
  if (after.state !== before.state) await updateDeliveriesDueAgain(sql, before, after.stateSince);
}

/**
 * Deliveries of a paused endpoint wait in order and get all of their retries back: otherwise each
 * pause of an overloaded receiver would use some up. This includes what had no retry left when the
 * pause began.
 */
function held(made: MadeAttempt, standing: EndpointStanding | undefined): MadeAttempt {
  const isOver = made.state !== 'QUEUED' && !made.isExhausted;
  if (isOver || standing?.state === 'ACTIVE') return made;
  // The clock may have gone back behind the queue time.
  const dueAt = new Date(Math.min(made.claimed.queuedAt.getTime(), made.event.nowMs));
  const attempt = { ...made.attempt, nextAt: null };
  return { ...made, state: 'QUEUED', dueAt, tries: 0, early: 0, attempt };
}

function standingAfter(before: Standing, made: readonly MadeAttempt[]): EndpointStanding {
  return made.reduce<EndpointStanding>(
    (standing, { event }) => afterAttempt(standing, event),
    before,
  );
}

function tell(log: RecordDeps['log'], { before, after }: StandingChange): void {
  if (after.state === before.state) return;
  const { partnerGuid, endpointGuid } = before;
  const facts = { partnerGuid, endpointGuid, reason: after.stateReason, detail: after.stateDetail };
  if (after.state === 'PAUSED') {
    log.warn(facts, 'a webhook endpoint was paused; what waits for it is kept');
  } else {
    log.info(facts, 'a webhook endpoint answers again and was resumed');
  }
}
