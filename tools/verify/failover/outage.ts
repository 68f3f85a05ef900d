import type { Operation } from '../crash/history.ts';
import type { Strike } from './strike.ts';

/** For how long no payment was acknowledged after a strike. */
export interface Outage {
  readonly strike: Strike;
  readonly seconds: number;
  /** The same of each server alone. */
  readonly secondsByServer: ReadonlyMap<string, number>;
}

export function findOutages(
  strikes: readonly Strike[],
  operations: readonly Operation[],
  servers: readonly string[],
): Outage[] {
  const acknowledged = operations.filter(isAcknowledged);
  const endUs = Math.max(...operations.map((one) => one.endUs));
  return strikes.map((strike, index) => {
    const untilUs = strikes[index + 1]?.atUs ?? endUs;
    const longestOf = (some: readonly Operation[]) => findLongestGap(some, strike.atUs, untilUs);
    const byServer = servers.map((server): [string, number] => [
      server,
      longestOf(acknowledged.filter((one) => one.server === server)),
    ]);
    return { strike, seconds: longestOf(acknowledged), secondsByServer: new Map(byServer) };
  });
}

/** Whether the partner was told that money is on hold. */
export function isAcknowledged({ kind, status, state }: Operation): boolean {
  return kind === 'put' && status === 200 && state === 'AUTHORIZED';
}

/** In seconds, of those that end in this time, or with it. */
function findLongestGap(some: readonly Operation[], fromUs: number, untilUs: number): number {
  const before = some.filter(({ endUs }) => endUs <= untilUs).map(({ endUs }) => endUs);
  const times = [...before, untilUs].sort((one, other) => one - other);
  const gaps = times.map((time, index) =>
    time > fromUs ? time - (times[index - 1] ?? fromUs) : 0,
  );
  return Math.max(0, ...gaps) / 1e6;
}
