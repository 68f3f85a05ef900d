import { randomBytes } from 'node:crypto';
import type { Clock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { type Runner, runEvery } from '@servery/support/runner.ts';
import type { Database, Sql } from '../database/database.ts';
import type { DemoContents } from '../sandbox/demo-file.ts';
import {
  type ClockSeen,
  completeDatabase,
  extendMaking,
  insertDatabase,
  type SandboxDatabase,
} from './registry-store.ts';

/** It is filled, and nothing needs it yet. Without a name in the end, it is removed. */
export interface NewDatabase<Content> extends SandboxDatabase, AsyncDisposable {
  readonly content: Content;
  /** False after this process stood still for long, such as in a machine that slept. */
  isKept(): Promise<boolean>;
  /** `give` says in one transaction what needs it, and false if nothing does anymore. */
  name(give: (sql: Sql) => Promise<boolean>): Promise<boolean>;
}

/** What the copy of an environment is, once it has accounts and a clock of its own. */
export interface Separated {
  readonly demo: DemoContents;
  readonly clock: ClockSeen;
}

export type SeparateDatabase = NewDatabase<Separated>;

export interface DatabaseMakerDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly mark: string;
  readonly onError: (error: unknown) => void;
  readonly onForgotten: () => void;
}

const MAKING_LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** Whatever is being made has a row with a lease, so that nothing of it is left if its maker dies. */
export function databaseMaker({ database, mark, onError, ...deps }: DatabaseMakerDeps) {
  const { sql } = database;
  const leaseEnd = () => new Date(deps.realClock.nowMs() + MAKING_LEASE_MS);
  const renew = (extend: () => Promise<unknown>): Runner =>
    runEvery(RENEW_MS, () => extend().then(() => {}), onError);

  /** Its row says that nobody makes it anymore. */
  async function forget(databaseName: string): Promise<void> {
    await completeDatabase(sql, databaseName).catch(onError);
    deps.onForgotten();
  }

  /** `fill` gets the names of a database and a ledger that it makes. */
  async function make<Content>(
    fill: (empty: SandboxDatabase) => Promise<Content>,
  ): Promise<NewDatabase<Content>> {
    const databaseName = `servery_${mark}_${randomBytes(8).toString('hex')}`;
    const made = { databaseName, ledgerId: newRandomId() };
    await insertDatabase(sql, made, leaseEnd());
    const isKept = () => extendMaking(sql, databaseName, leaseEnd());
    const renewing = renew(isKept);
    let isNamed = false;
    const end = async () => {
      await renewing.stop();
      if (!isNamed) await forget(databaseName);
    };
    try {
      return {
        ...made,
        content: await fill(made),
        isKept,
        async name(give) {
          isNamed = await database.transaction(
            async (inside) => (await completeDatabase(inside, databaseName)) && give(inside),
          );
          return isNamed;
        },
        [Symbol.asyncDispose]: end,
      };
    } catch (error) {
      await end();
      throw error;
    }
  }

  return { make, leaseEnd, renew };
}
