import type { RunReport } from './run.ts';

const SHOWN_VIOLATIONS = 20;

/** The lines that say what a run came to. */
export function reportLines(report: RunReport): string[] {
  const { kills, operations, payments, orders, holds, clockMoves, violations } = report;
  const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
  const byKind = countOf(operations, ({ kind }) => kind);
  const byStatus = countOf(operations, ({ kind, status, state }) =>
    [kind === 'put' ? 'PUT' : 'orders', status ?? 'no answer', kind === 'put' ? state : null]
      .filter((part) => part !== null)
      .join(' '),
  );
  return [
    `kills       ${total}: ${listOf([...kills])}`,
    `clock moves ${clockMoves}`,
    `requests    ${operations.length}: ${listOf(byKind)}`,
    `answers     ${listOf(byStatus)}`,
    `payments    ${payments.length}: ${listOf(countOf(payments, ({ state }) => state))}`,
    `orders      ${orders.length} placed, ${orders.filter(({ isVoided }) => isVoided).length} voided`,
    `processor   ${holds.length} authorizations`,
    `violations  ${violations.length}: ${listOf(countOf(violations, ({ rule }) => rule))}`,
    ...violations
      .slice(0, SHOWN_VIOLATIONS)
      .map(({ rule, subject, text }) => `  ${rule} ${subject}: ${text}`),
    ...(violations.length > SHOWN_VIOLATIONS ? ['  …'] : []),
  ];
}

function countOf<Value>(values: readonly Value[], nameOf: (value: Value) => string) {
  const counts = [...Map.groupBy(values, nameOf)].map(([name, group]): [string, number] => [
    name,
    group.length,
  ]);
  return counts.sort(([, one], [, other]) => other - one);
}

function listOf(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}
