import { type Operation, paymentName } from '../crash/history.ts';
import type { RunReport } from '../crash/run.ts';
import { findOutages, isAcknowledged } from './outage.ts';
import type { Strike } from './strike.ts';

/** How the servers reach the database, in their order. */
const ways = ['haproxy', 'hosts'] as const;

/** What was acknowledged and is not there, and what is there twice. */
const lostRules = ['PAY-I2'];
const doubledRules = ['PAY-I1'];

export function failoverLines(
  report: RunReport,
  strikes: readonly Strike[],
  servers: readonly string[],
): string[] {
  const { operations, violations } = report;
  const outages = findOutages(strikes, operations, servers);
  const countOf = (rules: readonly string[]) =>
    new Set(violations.flatMap(({ rule, subject }) => (rules.includes(rule) ? [subject] : [])))
      .size;
  const rows = outages.map(({ strike, seconds, secondsByServer }, index) => {
    const each = [...secondsByServer.values()].map(
      (own, server) => `${ways[server]} ${own.toFixed(1)} s`,
    );
    return `outage      ${index + 1}. ${strike.kind} ${seconds.toFixed(1)} s (${each.join(', ')})`;
  });
  const longest = Math.max(0, ...outages.flatMap((one) => [...one.secondsByServer.values()]));
  return [
    ...rows,
    `acknowledged ${acknowledgedPayments(operations).size} payments`,
    `lost ${countOf(lostRules)}, doubled ${countOf(doubledRules)}`,
    `longest outage ${longest.toFixed(1)} s`,
  ];
}

function acknowledgedPayments(operations: readonly Operation[]): Set<string> {
  return new Set(operations.filter(isAcknowledged).map(paymentName));
}
