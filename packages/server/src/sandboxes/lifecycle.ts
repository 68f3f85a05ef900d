import type { RequestOfCopy } from '@servery/contract';
import { type Copies, listCopies } from '@servery/postgres/copies.ts';
import type { Clock } from '@servery/support/clock.ts';
import { nearestNames } from '@servery/support/nearest-names.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Ledgers } from '../payments/processors/ledgers.ts';
import type { DemoContents, DemoFile } from '../sandbox/demo-file.ts';
import { type Profile, profileNames } from '../sandbox/profile.ts';
import type { AwakeSandboxes } from './awake.ts';
import { expiredSandbox } from './expired-sandbox.ts';
import { databaseMaker, type SeparateDatabase, type Separated } from './new-database.ts';
import {
  type ClockSeen,
  claimUnneeded,
  countSandboxes,
  deleteDatabaseRow,
  deleteDeadReservations,
  deleteExpiries,
  deleteReservation,
  deleteSandbox,
  deleteSnapshot,
  expireSandbox,
  extendReservation,
  findExpiry,
  findSandbox,
  findTemplate,
  insertSnapshot,
  listDatabases,
  listSandboxNames,
  listSnapshots,
  listTakenNames,
  lockSandboxes,
  type NewSandbox,
  reserveSandbox,
  type SandboxDatabase,
  type SandboxRow,
  type SnapshotRow,
  setDatabaseOf,
  upsertTemplate,
} from './registry-store.ts';
import { WarmDatabases } from './warm.ts';

export interface LifecycleDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly copies: Copies;
  /** Over a connection of its own: a removal takes seconds, and no copy should wait for it. */
  readonly removals: Copies;
  readonly ledgers: Ledgers;
  readonly awake: AwakeSandboxes;
  readonly onError: (error: unknown) => void;
  readonly main: {
    readonly databaseName: string;
    readonly profile: string;
    /** Tells the databases of this platform from those of others on the same server. */
    readonly mark: string;
  };
  readonly most: number;
  readonly environments: SandboxPreparation;
}

interface SandboxPreparation {
  /** Writes the contents of a profile into a new database and ledger. */
  fill(profile: Profile, made: SandboxDatabase): Promise<void>;
  fingerprintOf(profile: Profile): Promise<string>;
  /** Takes a copied database over: accounts get new secrets. */
  separate(copied: SandboxDatabase, profile: string): Promise<Separated>;
  /** Gives the sandbox its folder, with the demo file. */
  introduce(name: string, demo: DemoContents): Promise<DemoFile>;
  /** Gives a copy its ledger; accounts stay as they are. */
  keepApart(made: SandboxDatabase): Promise<ClockSeen>;
  /** Removes what sandboxes had outside of databases. Asks for those that are there when it looked. */
  keepOnly(listNames: () => Promise<readonly string[]>): Promise<void>;
}

interface OriginSandbox {
  readonly sandbox: string;
  readonly snapshot?: string;
  readonly replayOf?: RequestOfCopy;
}

export type Origin = { readonly profile: Profile } | OriginSandbox;

/** For the transactions of other processes. */
const OTHERS_GRACE_MS = 2_000;
const SNAPSHOTS_AT_MOST = 20;
/** How long it is told that a sandbox has expired. */
const EXPIRY_KNOWN_MS = 86_400_000;
export const MAIN = 'main';

export type Lifecycle = ReturnType<typeof sandboxLifecycle>;

export function sandboxLifecycle(deps: LifecycleDeps) {
  const { database, copies, removals, ledgers, awake, main, environments } = deps;
  const { sql } = database;
  const now = () => new Date(deps.realClock.nowMs());
  let isStopping = false;
  let clearing: Promise<void> = Promise.resolve();
  let copyingMain: Promise<void> = Promise.resolve();
  const templates = new Map<string, Promise<SandboxDatabase>>();
  const { make, leaseEnd, renew } = databaseMaker({
    ...{ ...deps, mark: main.mark },
    onForgotten: clearUpSoon,
  });
  const warm = new WarmDatabases({ make: makeFromProfile, onError: deps.onError });

  async function remove({ databaseName, ledgerId }: SandboxDatabase): Promise<void> {
    await removals.drop(databaseName);
    await ledgers.drop(ledgerId);
    await deleteDatabaseRow(sql, databaseName);
  }

  /** Other processes may use one that is in use. */
  async function copyInto(
    made: SandboxDatabase,
    from: SandboxDatabase,
    isInUse = false,
  ): Promise<void> {
    const names = { from: from.databaseName, to: made.databaseName };
    if (isInUse) await copies.copyInUse(names, OTHERS_GRACE_MS);
    else await copies.copy(names);
    await ledgers.copy(from.ledgerId, made.ledgerId);
  }

  /** Throws ApiError if the snapshot is dropped meanwhile. */
  async function copySnapshot(
    made: SandboxDatabase,
    sandboxName: string,
    snapshot: SnapshotRow,
  ): Promise<void> {
    try {
      await copyInto(made, snapshot);
    } catch (error) {
      await requireSnapshot(sandboxName, snapshot.name);
      throw error;
    }
  }

  /** Pauses the source alone: its statements wait until its database is copied. */
  async function copyLive(made: SandboxDatabase, name: string): Promise<void> {
    if (name === MAIN) {
      const copied = copyingMain.then(() => copyMain(made));
      copyingMain = copied.catch(() => {});
      await copied;
    } else {
      await awake.heldDuring(name, async () => copyInto(made, await requireSandbox(name), true));
    }
  }

  /** One copy at a time: the end of one lets requests in again. */
  async function copyMain(made: SandboxDatabase): Promise<void> {
    await database.hold();
    try {
      await copies.copyInUse({ from: main.databaseName, to: made.databaseName }, OTHERS_GRACE_MS);
    } finally {
      database.resume();
    }
    await ledgers.copy(null, made.ledgerId);
  }

  async function templateOf(profile: Profile): Promise<SandboxDatabase> {
    const fingerprint = await environments.fingerprintOf(profile);
    const known = await findTemplate(sql, profile, fingerprint);
    if (known) return known;
    const making = templates.get(profile) ?? makeTemplate(profile, fingerprint);
    templates.set(profile, making);
    return await making.finally(() => templates.delete(profile));
  }

  async function makeTemplate(profile: Profile, fingerprint: string): Promise<SandboxDatabase> {
    await using made = await make((empty) => environments.fill(profile, empty));
    const { databaseName, ledgerId } = made;
    await made.name(async (inside) => {
      await upsertTemplate(inside, profile, fingerprint, databaseName);
      return true;
    });
    return { databaseName, ledgerId };
  }

  /** `others` could have been named, too. */
  async function requireSandbox(name: string, others: readonly string[] = []): Promise<SandboxRow> {
    const row = await findSandbox(sql, name);
    if (row) return row;
    if (name === MAIN) {
      throw new ApiError(
        'notFound',
        `${MAIN} is the main environment, not a sandbox: it does not expire, can't be dropped, and ` +
          'has no snapshots. To keep its state, create a sandbox from it.',
      );
    }
    const expiredAt = await findExpiry(sql, name);
    if (expiredAt) throw expiredSandbox(name, expiredAt);
    const there = whatThereIs(name, [...others, ...(await listSandboxNames(sql))], 'sandbox');
    throw new ApiError('notFound', `There is no sandbox ${name}${there}`);
  }

  async function requireSnapshot(sandboxName: string, name: string): Promise<SnapshotRow> {
    const snapshots = await listSnapshots(sql, sandboxName);
    const found = snapshots.find((each) => each.name === name);
    if (found) return found;
    const names = snapshots.map((each) => each.name);
    const there = whatThereIs(name, names, 'snapshot');
    throw new ApiError('notFound', `The sandbox ${sandboxName} has no snapshot ${name}${there}`);
  }

  /** Which profile's accounts a copy of `from` has. Throws ApiError. */
  async function profileOf(from: Origin): Promise<string> {
    const profile = await profileOfSource(from);
    if (profile !== 'none') return profile;
    throw new ApiError(
      'conflict',
      'This platform was started with the profile none, so a copy of it would have no account: ' +
        'create a sandbox from a profile, and import a group into it.',
    );
  }

  async function profileOfSource(from: Origin): Promise<string> {
    if ('profile' in from) return from.profile;
    if (from.sandbox === MAIN && from.snapshot === undefined) return main.profile;
    const { profile } = await requireSource(from.sandbox);
    if (from.snapshot !== undefined) await requireSnapshot(from.sandbox, from.snapshot);
    return profile;
  }

  /** Somebody who writes the name of a profile may take it for that of a sandbox. */
  async function requireSource(name: string): Promise<SandboxRow> {
    if (name === MAIN) return await requireSandbox(name);
    const row = await findSandbox(sql, name);
    if (row) return row;
    const expiredAt = await findExpiry(sql, name);
    if (expiredAt) throw expiredSandbox(name, expiredAt);
    const names = [MAIN, ...(await listSandboxNames(sql))];
    throw new ApiError(
      'notFound',
      `There is no sandbox ${name} to copy${listed(names, 'sandbox')} The profiles are ` +
        `${profileNames.join(', ')}.${nearest(name, [...names, ...profileNames])}`,
    );
  }

  async function requireRight(): Promise<void> {
    const missing = await copies.findMissingRight();
    if (missing !== null) throw new ApiError('conflict', missing);
  }

  async function reserve(asked: NewSandbox): Promise<void> {
    await database.transaction(async (inside) => {
      await lockSandboxes(inside);
      if ((await countSandboxes(inside)) >= deps.most) {
        throw new ApiError(
          'conflict',
          `There are already ${deps.most} sandboxes, the maximum (SERVERY_SANDBOXES): drop one that ` +
            'nobody needs.',
        );
      }
      if (await reserveSandbox(inside, asked, leaseEnd())) return;
      throw new ApiError(
        'conflict',
        `There is already a sandbox ${asked.name}, or one is being made: choose another name, or ` +
          'drop it first. A name that a crash left behind is free within a minute.',
      );
    });
  }

  async function makeFromProfile(profile: Profile): Promise<SeparateDatabase> {
    const template = await templateOf(profile);
    return await make(async (empty) => {
      await copyInto(empty, template);
      return await environments.separate(empty, profile);
    });
  }

  async function makeFromSandbox(
    { sandbox, snapshot }: OriginSandbox,
    profile: string,
  ): Promise<SeparateDatabase> {
    const source = snapshot === undefined ? null : await requireSnapshot(sandbox, snapshot);
    return await make(async (empty) => {
      if (source) await copySnapshot(empty, sandbox, source);
      else await copyLive(empty, sandbox);
      return await environments.separate(empty, profile);
    });
  }

  return {
    requireSandbox,

    async create(
      asked: Pick<NewSandbox, 'name' | 'createdBy' | 'createdAt' | 'expiresAt'>,
      from: Origin,
    ): Promise<{ readonly sandbox: SandboxRow; readonly demo: DemoFile }> {
      await requireRight();
      const profile = await profileOf(from);
      await reserve({ ...asked, profile, madeFrom: from });
      const { name } = asked;
      const renewing = renew(() => extendReservation(sql, name, leaseEnd()));
      try {
        await using made = await ('profile' in from
          ? warm.take(from.profile)
          : makeFromSandbox(from, profile));
        const { databaseName, content } = made;
        const demo = await environments.introduce(name, content.demo);
        const isNamed = await made.name((inside) =>
          setDatabaseOf(inside, asked, { databaseName, wakeAt: null, ...content.clock }),
        );
        if (!isNamed) throw new Error(`the sandbox ${name} was removed while it was made`);
        return { sandbox: await requireSandbox(name), demo };
      } catch (error) {
        await deleteReservation(sql, name).catch(deps.onError);
        throw error;
      } finally {
        await renewing.stop();
      }
    },

    /** Does nothing if there is none, or if it has time left and `ifExpiredBy` is given. */
    async drop(name: string, ifExpiredBy: Date | null = null): Promise<void> {
      await awake.closedDuring(name, async () => {
        if (ifExpiredBy) await expireSandbox(sql, name, ifExpiredBy);
        else await deleteSandbox(sql, name);
        await environments.keepOnly(() => listTakenNames(sql));
      });
      clearUpSoon();
    },

    async snapshot(
      sandboxName: string,
      asked: Pick<SnapshotRow, 'name' | 'createdAt' | 'createdBy'>,
    ): Promise<SnapshotRow> {
      await requireSandbox(sandboxName);
      const snapshots = await listSnapshots(sql, sandboxName);
      if (snapshots.some(({ name }) => name === asked.name)) {
        throw snapshotTaken(sandboxName, asked.name);
      }
      if (snapshots.length >= SNAPSHOTS_AT_MOST) {
        throw new ApiError(
          'conflict',
          `The sandbox ${sandboxName} has ${SNAPSHOTS_AT_MOST} snapshots, the maximum. Drop ` +
            'one that nobody needs.',
        );
      }
      await using made = await make((empty) => copyLive(empty, sandboxName));
      const { databaseName, ledgerId } = made;
      const isNamed = await made.name((inside) =>
        insertSnapshot(inside, sandboxName, { ...asked, databaseName }),
      );
      if (!isNamed) throw snapshotTaken(sandboxName, asked.name);
      return { ...asked, databaseName, ledgerId };
    },

    async dropSnapshot(sandboxName: string, name: string): Promise<void> {
      await requireSandbox(sandboxName);
      await deleteSnapshot(sql, await requireSnapshot(sandboxName, name));
      clearUpSoon();
    },

    /** Everything since the snapshot is gone; the snapshot stays. */
    async restore(sandboxName: string, snapshotName: string): Promise<void> {
      const sandbox = await requireSandbox(sandboxName);
      const snapshot = await requireSnapshot(sandboxName, snapshotName);
      await using made = await make(async (empty) => {
        await copySnapshot(empty, sandboxName, snapshot);
        return await environments.keepApart(empty);
      });
      const { databaseName, content: clock } = made;
      // Closed only while its database changes.
      const isNamed = await awake.closedDuring(sandboxName, () =>
        made.name((inside) =>
          setDatabaseOf(inside, sandbox, { databaseName, wakeAt: now(), ...clock }),
        ),
      );
      if (!isNamed) await requireSandbox(sandboxName);
      clearUpSoon();
    },

    clearUp,
    rest: () => warm.rest(),

    /** Call it before the databases are closed. What is left then, the next start removes. */
    async stop(): Promise<void> {
      isStopping = true;
      await warm.stop();
      await clearing;
    },
  };

  /** PostgreSQL writes everything to the disk before it drops a database, which may take seconds. */
  function clearUpSoon(): void {
    if (!isStopping) clearUp().catch(deps.onError);
  }

  function clearUp(): Promise<void> {
    const done = clearing.then(removeUnneeded);
    clearing = done.catch(() => {});
    return done;
  }

  /** Removes what a crash or a drop has left, and nothing else. */
  async function removeUnneeded(): Promise<void> {
    await deleteDeadReservations(sql, now());
    await deleteExpiries(sql, new Date(now().getTime() - EXPIRY_KNOWN_MS));
    await environments.keepOnly(() => listTakenNames(sql));
    for (const unneeded of await claimUnneeded(sql, now())) await remove(unneeded);
    // A row is inserted before its database or ledger is made, so one without a row is a leftover.
    const databases = await listCopies(sql, `servery_${main.mark}_`);
    const ledgersThere = await ledgers.list();
    const rows = await listDatabases(sql);
    const names = new Set(rows.map(({ databaseName }) => databaseName));
    const ids = new Set(rows.map(({ ledgerId }) => ledgerId));
    for (const { name, isClosed } of databases) {
      if (!names.has(name)) await removals.drop(name);
      // The process that copied it may have died. One that still copies it keeps sessions out.
      else if (isClosed) await removals.open(name);
    }
    for (const id of ledgersThere) if (!ids.has(id)) await ledgers.drop(id);
  }
}

/** Throws ApiError. */
export function requireProfile(name: string): Profile {
  const found = profileNames.find((each) => each === name);
  if (found) return found;
  const there = whatThereIs(name, profileNames, 'profile');
  throw new ApiError('notFound', `There is no profile ${name}${there}`);
}

function snapshotTaken(sandboxName: string, name: string): ApiError {
  return new ApiError(
    'conflict',
    `The sandbox ${sandboxName} already has a snapshot ${name}: choose another name.`,
  );
}

const LISTED = 8;

/** Ends a sentence that says what was not found. */
function whatThereIs(wanted: string, names: readonly string[], noun: string): string {
  return `${listed(names, noun)}${nearest(wanted, names)}`;
}

function listed(names: readonly string[], noun: string): string {
  if (names.length === 0) return `: there is no ${noun} at all.`;
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : '';
  const shown = names.slice(0, LISTED).join(', ');
  return `: there ${names.length === 1 ? 'is' : 'are'} ${shown}${more}.`;
}

function nearest(wanted: string, names: readonly string[]): string {
  const [meant] = nearestNames(wanted, names);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
