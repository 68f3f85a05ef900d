import type { Database } from '../../../packages/server/src/database/database.ts';
import type { CrashPartner } from './partner.ts';
import type { CrashReceiver } from './receiver.ts';
import { listDeliveryCounts, listWrittenEvents } from './rows-store.ts';

/** What a run came to. */
export interface HooksReport {
  readonly events: number;
  readonly requests: number;
  /** Requests that a receiver had taken before. */
  readonly duplicates: number;
  readonly refused: number;
  /** Kills while somebody worked on deliveries. */
  readonly busyKills: number;
  readonly violations: readonly string[];
}

/** Holds what arrived against what was written. */
export async function checkArrived(
  { sql }: Pick<Database, 'sql'>,
  partners: readonly CrashPartner[],
  receiver: CrashReceiver,
): Promise<Omit<HooksReport, 'busyKills'>> {
  const violations = [...receiver.violations];
  for (const { state, count } of await listDeliveryCounts(sql)) {
    if (state !== 'DELIVERED') violations.push(`${count} deliveries are ${state}`);
  }
  const totals = { events: 0, requests: 0, duplicates: 0, refused: 0 };
  for (const partner of partners) {
    // The first event was written before there was an endpoint.
    const written = (await listWrittenEvents(sql, partner.guid)).slice(1);
    const known = receiver.events.get(partner.path) ?? new Map();
    violations.push(...checkPartner(partner, written, known));
    violations.push(...checkOrder(partner, receiver.orders.get(partner.path) ?? []));
    totals.events += written.length;
    for (const { taken, refused } of known.values()) {
      totals.requests += taken + refused;
      totals.duplicates += Math.max(taken - 1, 0);
      totals.refused += refused;
    }
  }
  return { ...totals, violations };
}

function checkPartner(
  { path, acknowledged }: CrashPartner,
  written: readonly { readonly guid: string; readonly body: string }[],
  known: ReadonlyMap<string, { readonly body: string; readonly taken: number }>,
): string[] {
  const violations: string[] = [];
  const numbers = new Set<number>();
  for (const { guid, body } of written) {
    const arrived = known.get(guid);
    numbers.add(Number(JSON.parse(body).details.externalGroupRef));
    if (!arrived || arrived.taken === 0) violations.push(`${path} ${guid} was never taken`);
    else if (arrived.body !== body) violations.push(`${path} ${guid} came with other bytes`);
  }
  if (known.size > written.length) violations.push(`${path} got events that nobody wrote`);
  for (const number of acknowledged) {
    if (!numbers.has(number)) violations.push(`${path} lost change ${number}, acknowledged`);
  }
  return violations;
}

/**
 * In ordered mode nothing comes for the first time once something later has come. What came before
 * may come again: from a process that was held up for longer than its lease.
 */
function checkOrder(
  { path, isOrdered }: Pick<CrashPartner, 'path' | 'isOrdered'>,
  order: readonly number[],
): string[] {
  if (!isOrdered) return [];
  const violations: string[] = [];
  const known = new Set<number>();
  let latest = 0;
  for (const number of order) {
    const isNew = !known.has(number);
    if (isNew && number < latest) violations.push(`${path} got ${number} after ${latest}`);
    known.add(number);
    latest = Math.max(latest, number);
  }
  return violations;
}
