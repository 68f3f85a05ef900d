import type { Defect } from '../defect.ts';

/** Defects that show only where there is much. */
export const planDefects: readonly Defect[] = [
  {
    name: 'plans-put-off-among-all-that-is-open',
    file: 'packages/server/src/payments/due-store.ts',
    find: `where due_at > \${latest} and tries > 0`,
    replace: `where due_at > \${latest}`,
    why: 'A sandbox would read every open payment each ten seconds.',
    caughtBy: { file: 'tools/plans.test.ts', name: /once the database knows how much there is/ },
  },
];
