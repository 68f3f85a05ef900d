import type { Defect } from '../defect.ts';

/** Defects that show only where there is much, and of what fills it in. */
export const planDefects: readonly Defect[] = [
  {
    name: 'plans-put-off-among-all-that-is-open',
    file: 'packages/server/src/payments/due-store.ts',
    find: `where due_at > \${latest} and tries > 0`,
    replace: `where due_at > \${latest}`,
    why: 'A sandbox would read every open payment each ten seconds.',
    caughtBy: { file: 'tools/plans.test.ts', name: /once the database knows how much there is/ },
  },
  {
    name: 'plans-filling-leaves-a-reference-away',
    file: 'tools/fill/bare-table-store.ts',
    find: 'of holders.toReversed()) await sql.unsafe(create)',
    replace: 'of holders.slice(1).toReversed()) await sql.unsafe(create)',
    why: 'What was measured would be a database that checks less than the real one.',
    caughtBy: { file: 'tools/fill.test.ts', name: /leaves keys and indexes as they were/ },
  },
];
