import { CommitUnknownError } from '@servery/postgres/database.ts';
import { insertEntry } from '../../audit/entry-store.ts';
import { type SystemOriginDeps, systemOrigin } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../support/log.ts';
import { type EndpointStanding, updateEndpointStanding } from '../endpoints/endpoint-store.ts';
import { afterAttempt, type CircuitEvent } from './circuit.ts';
import { updateDeliveriesDueAgain } from './delivery-store.ts';
import type { MadeAttempt } from './make-attempt.ts';
import {
  findStandingLocked,
  type Standing,
  updateAttempted,
  updateEndpointsSound,
} from './outcome-store.ts';

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

/** Of one endpoint. Fails at once, with nothing written, while another transaction holds it. */
export async function recordTroubled(
  deps: RecordDeps,
  endpointGuid: string,
  made: readonly MadeAttempt[],
): Promise<ReadonlySet<number>> {
  let written: ReadonlySet<number> = new Set();
  await changeStanding(deps, endpointGuid, async (sql, before) => {
    const planned = standingAfter(before, made);
    const attempts = made.map((attempt) => held(attempt, planned));
    written = await updateAttempted(sql, attempts);
    return standingAfter(
      before,
      made.filter((_, index) => written.has(index)),
    );
  });
  return written;
}

/** For an endpoint that this process cannot try at all. Deliveries stay unchanged. */
export async function pauseUntried(
  deps: RecordDeps,
  endpointGuid: string,
  event: CircuitEvent,
): Promise<void> {
  await changeStanding(deps, endpointGuid, async (_sql, before) => afterAttempt(before, event));
}

/** Locks the endpoint before its deliveries, in the same order as a pause or an archive. */
async function changeStanding(
  deps: RecordDeps,
  endpointGuid: string,
  change: (sql: Database['sql'], before: Standing) => Promise<EndpointStanding>,
): Promise<void> {
  let made: { before: Standing; after: EndpointStanding } | undefined;
  const told = () => made && made.after.state !== made.before.state && tell(deps.log, made);
  try {
    await deps.database.transaction(async (sql) => {
      made = undefined;
      const before = await findStandingLocked(sql, endpointGuid);
      const after = await change(sql, before);
      if (after !== before) await updateStanding(sql, deps, before, after);
      made = { before, after };
    });
    told();
  } catch (error) {
    // It may have happened, and no later try would say so: a second message is better than none.
    if (error instanceof CommitUnknownError) told();
    throw error;
  }
}

async function updateStanding(
  sql: Database['sql'],
  deps: RecordDeps,
  before: Standing,
  after: EndpointStanding,
): Promise<void> {
  await updateEndpointStanding(sql, before, after);
  if (after.state !== before.state || after.stateReason !== before.stateReason) {
    const operation = after.state === 'ACTIVE' ? 'webhooks.resume' : 'webhooks.pause';
    // The endpoint loses the reason later; the audit log keeps it.
    await insertEntry(sql, systemOrigin(deps, 'webhooks', operation), {
      subject: { kind: 'webhookEndpoint', id: before.endpointGuid },
      partnerGuid: before.partnerGuid,
      before: documentOf(before),
      after: documentOf(after),
    });
  }
  if (after.state !== before.state) await updateDeliveriesDueAgain(sql, before, after.stateSince);
}

function documentOf({ state, stateReason, stateDetail, stateSince, failures }: EndpointStanding) {
  return { state, stateReason, stateDetail, stateSince, failures };
}

/**
 * Deliveries of a paused endpoint wait in order and get all of their retries back: otherwise each
 * pause of an overloaded receiver would use some up. This includes what had no retry left when the
 * pause began.
 */
function held(made: MadeAttempt, { state }: EndpointStanding): MadeAttempt {
  const isOver = made.state !== 'QUEUED' && !made.isExhausted;
  if (isOver || state === 'ACTIVE') return made;
  // The clock may have gone back behind the queue time.
  const dueAt = new Date(Math.min(made.claimed.queuedAt.getTime(), made.event.nowMs));
  return { ...made, state: 'QUEUED', dueAt, tries: 0, early: 0, nextAt: null };
}

function standingAfter(before: Standing, made: readonly MadeAttempt[]): EndpointStanding {
  return made.reduce<EndpointStanding>(
    (standing, { event }) => afterAttempt(standing, event),
    before,
  );
}

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
