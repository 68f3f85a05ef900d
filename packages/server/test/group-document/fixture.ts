import { randomBytes } from 'node:crypto';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import type { Database } from '../../src/database/database.ts';
import { exportGroup } from '../../src/group-document/export.ts';
import {
  type ImportOptions,
  type ImportResult,
  importGroup,
} from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { createTestDatabase } from '../database.ts';

/** A database of its own with what imports and exports groups, and a clock that a test moves. */
export interface GroupDocumentFixture {
  readonly database: Database;
  readonly clock: FixedClock;
  readonly vault: Vault;
  /** Imports a document; `through` stands in for the database. */
  load(document: object, options?: ImportOptions, through?: Database): Promise<ImportResult>;
  /** The canonical text of a group; of the only one when none is named. */
  dump(group?: string): Promise<string>;
  publishNumber(restaurant: string): Promise<number>;
  drop(): Promise<void>;
}

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30, 0, 123);

/** Opens it on a database without any group. */
export async function openGroupDocumentFixture(): Promise<GroupDocumentFixture> {
  const { database, drop } = await createTestDatabase();
  const vault = createVault(randomBytes(32));
  const clock = new FixedClock(NOW_MS);
  return {
    database,
    clock,
    vault,
    drop,
    load: async (document, options, through = database) => {
      const contents = readGroupDocument(JSON.stringify(document));
      return importGroup({ database: through, vault, clock }, contents, options);
    },
    dump: async (group) => {
      let text = '';
      await exportGroup(database, group ?? null, (piece) => {
        text += piece;
      });
      return text;
    },
    publishNumber: async (restaurant) => {
      const [row] = await database.sql<{ publishNumber: number }[]>`
        select publish_number as "publishNumber" from restaurant where name = ${restaurant}`;
      return row?.publishNumber ?? 0;
    },
  };
}
