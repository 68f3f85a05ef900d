import { sleep } from '@servery/support/timer.ts';
import { monotonicUs, type Operation, type OperationKind } from '../crash/history.ts';
import type { Trouble } from '../crash/run.ts';
import type { CitusNode } from './node.ts';

/** When a worker was away. */
export interface Absence {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** What became of requests about payments while a worker was away. */
export interface AbsenceReport {
  /** At restaurants of this worker. */
  readonly lost: Tally;
  /** At those of the others. */
  readonly others: Tally;
}

interface Tally {
  readonly requests: number;
  /** How many of these were answered with 503 and Retry-After, so the caller retries. */
  readonly later: number;
  /** How many of these failed otherwise. */
  readonly failed: number;
  /** How many payments the partner was told are authorized. */
  readonly authorized: number;
}

/** Orders are left out: those of counted items need all workers. */
const paymentKinds: readonly OperationKind[] = [
  ...(['put', 'read', 'apply', 'fulfil', 'void', 'capture', 'tip'] as const),
];
/** An answer that the processor did nothing is a 500, too. */
const NOT_PROCESSED = 'no funds are held';

const CALM_MS = 5_000;
const AWAY_MS = 25_000;

/** Kills a worker under load, and starts it again much later. */
export function loseWorker(worker: CitusNode, absences: Absence[]): Trouble {
  return async () => {
    await sleep(CALM_MS);
    await worker.kill();
    const fromUs = monotonicUs();
    await sleep(AWAY_MS);
    absences.push({ fromUs, untilUs: monotonicUs() });
    await worker.start();
    await sleep(CALM_MS);
    return new Map([[worker.name, 1]]);
  };
}

/** `isLost` tells whether a restaurant is one of the worker that was away. */
export function judgeAbsence(
  operations: readonly Operation[],
  { fromUs, untilUs }: Absence,
  isLost: (merchantGuid: string) => boolean,
): AbsenceReport {
  // Some partners hang up early, whatever happens.
  const during = operations.filter(
    ({ kind, startUs, endUs, status }) =>
      paymentKinds.includes(kind) && startUs >= fromUs && endUs <= untilUs && status !== null,
  );
  return {
    lost: tally(during.filter(({ merchantGuid }) => isLost(merchantGuid))),
    others: tally(during.filter(({ merchantGuid }) => !isLost(merchantGuid))),
  };
}

function tally(operations: readonly Operation[]): Tally {
  const unserved = operations.filter(
    ({ status, body }) => (status ?? 0) >= 500 && !body?.includes(NOT_PROCESSED),
  );
  const isLater = ({ status, retryAfter }: Operation) => status === 503 && retryAfter !== null;
  return {
    requests: operations.length,
    later: unserved.filter(isLater).length,
    failed: unserved.filter((one) => !isLater(one)).length,
    authorized: operations.filter(({ kind, state }) => kind === 'put' && state === 'AUTHORIZED')
      .length,
  };
}

export function absenceLines({ lost, others }: AbsenceReport): string[] {
  const rows = { 'of the lost worker': lost, 'of others': others };
  return Object.entries(rows).map(
    ([name, { requests, later, failed, authorized }]) =>
      `restaurants ${name}: ${requests} requests, ${later} answered 503 with Retry-After, ` +
      `${failed} failed otherwise, ${authorized} payments authorized`,
  );
}

/** Payments of other restaurants went on, and those of the lost worker were put off. */
export function isAbsenceRight({ lost, others }: AbsenceReport): boolean {
  const isPutOff = lost.later > 0 && lost.failed === 0 && lost.authorized === 0;
  return isPutOff && others.authorized > 0 && others.failed + others.later === 0;
}
