import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { insertEntry } from '../../src/audit/entry-store.ts';
import { attestEntries } from '../../src/audit/origin.ts';
import { createSealer } from '../../src/audit/seal.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import type { Sql } from '../../src/database/database.ts';
import { createTestDatabase } from '../database.ts';
import { NOW_MS } from '../request.ts';

/** An audit log of a platform of its own. */
export type AuditFixture = Awaited<ReturnType<typeof openAuditFixture>>;

/** Makes a platform's audit log in a database of its own; `drop` removes it. */
export async function openAuditFixture() {
  const { database, drop } = await createTestDatabase();
  const realClock = new FixedClock(NOW_MS);
  const vault = createVault(Buffer.alloc(32, 7));
  const errors: unknown[][] = [];
  const deps = {
    database,
    vault,
    realClock,
    log: { error: (...told: unknown[]) => void errors.push(told) },
  };
  const write = async (sql: Sql, note: string, parts: { restaurantGuid?: string } = {}) => {
    const now = new Date(realClock.nowMs());
    await insertEntry(
      sql,
      {
        by: `person:${newGuid()}`,
        requestId: newGuid(),
        operation: 'backOffice.alarms.acknowledge',
        at: now,
        realAt: now,
        attest: attestEntries(vault),
      },
      {
        subject: { kind: 'alarm', id: newGuid() },
        before: { note: null },
        after: { note, 'snowman ☃ \\ | 😀': [1.5, -0, 1e21, null, 'line\nbreak'] },
        ...parts,
      },
    );
  };
  return {
    ...{ database, deps, realClock, vault, errors, drop, write },
    sealer: () => createSealer(deps),
    verify: () => verifyAudit(deps),
  };
}

/** Writes so many entries and seals them. */
export async function fill(fixture: AuditFixture, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await fixture.write(fixture.database.sql, `note ${number}`);
  }
  await fixture.sealer()();
}
