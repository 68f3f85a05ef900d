import type { PlanNode } from './explain-store.ts';

/**
 * Tables that stay as small as they are, however large a platform becomes: one row, one for each
 * process or key, or at most as many as a setting says.
 */
const FIXED = new Set([
  'audit_head',
  'change_mark',
  'client_use_start',
  'environment',
  'environment_clock',
  'fault_rule',
  'health_minute',
  'payment_transition',
  'processor_ledger',
  'sandbox',
  'sandbox_database',
  'sandbox_expired',
  'sandbox_snapshot',
  'sandbox_template',
  'schema_migration',
  'server_process',
  'signing_key',
]);

/** Whether a table becomes larger with the platform; those of PostgreSQL itself do not. */
export const grows = (table: string): boolean => !table.startsWith('pg_') && !FIXED.has(table);

/** The steps of a plan that read a table that grows, or an index of one, from end to end. */
export function findWholeReads(plan: PlanNode, asked: Asked): string[] {
  return walk(plan, false, asked);
}

/** Which tables may not be read whole, and which indexes may, because they hold little. */
export interface Asked {
  isTable(name: string): boolean;
  isSmallIndex(name: string): boolean;
}

/** Below a limit an index is read in its order, and left when there is enough. */
function walk(node: PlanNode, isLimited: boolean, asked: Asked): string[] {
  const type = node['Node Type'];
  const table = node['Relation Name'];
  const isIndexScan = type === 'Index Scan' || type === 'Index Only Scan';
  const isWhole =
    type === 'Seq Scan' ||
    (isIndexScan &&
      !isLimited &&
      node['Index Cond'] === undefined &&
      !asked.isSmallIndex(node['Index Name'] ?? ''));
  const own =
    isWhole && table !== undefined && asked.isTable(table)
      ? [`${type} on ${table}${isIndexScan ? ` using ${node['Index Name']}` : ''}`]
      : [];
  const passesOn = [
    'Limit',
    'LockRows',
    'Nested Loop',
    'Subquery Scan',
    'Result',
    'Memoize',
    'Incremental Sort',
  ];
  const isLimitedBelow = type === 'Limit' || (isLimited && passesOn.includes(type));
  const below = node.Plans ?? [];
  return [...own, ...below.flatMap((child) => walk(child, isLimitedBelow, asked))];
}
