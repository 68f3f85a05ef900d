import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Copies } from '@servery/postgres/copies.ts';
import { createVault, Secret } from '@servery/support/secret.ts';
import pLimit from 'p-limit';
import type { Config } from '../config/config.ts';
import { connectDatabase, type Database } from '../database/database.ts';
import { readPlatformMigrations } from '../database/migrations.ts';
import type { Ledgers } from '../payments/processors/ledgers.ts';
import { hashRandomPassword } from '../people/password.ts';
import type { ReplayEnvironment, ReplayTargets } from '../requests/replay/ports.ts';
import { openEnvironmentClock } from '../sandbox/clock.ts';
import { type DemoContents, type DemoFile, writeDemoFile } from '../sandbox/demo-file.ts';
import { demoFileOf, describeContents, fillSandbox } from '../sandbox/prepare.ts';
import { type Profile, profileContents } from '../sandbox/profile.ts';
import { keepApart, letCommitsWait, separateFromParent } from '../sandboxes/adopt-store.ts';
import type { OpenSandbox } from '../sandboxes/awake.ts';
import { clockSeen } from '../sandboxes/clock-seen.ts';
import type { Separated } from '../sandboxes/new-database.ts';
import { nextWorkMs } from '../sandboxes/next-work.ts';
import type { SandboxDatabase, SandboxRow } from '../sandboxes/registry-store.ts';
import { SigningKeys } from '../tokens/signing-keys.ts';
import { type KeyPairs, keyPairsAhead } from './begin-start.ts';
import { openEnvironment } from './environment.ts';
import { type Parts, programVersion } from './parts.ts';

export interface SandboxEnvironmentsDeps {
  readonly parts: Parts;
  readonly copies: Copies;
  readonly ledgers: Ledgers;
  readonly masterKey: Buffer;
  readonly instance: string;
  readonly replayTargetsOf: (name: string) => ReplayTargets;
}

export interface OpenedSandbox extends OpenSandbox {
  readonly replaying: ReplayEnvironment;
}

/** A sandbox is used by few at a time. One more connection looks for changes. */
const POOL = 2;
export const CONNECTIONS_EACH = POOL + 1;
const CACHE_MIB = 4;

/** Opens and fills the environments beside the main one. */
export function sandboxEnvironments(deps: SandboxEnvironmentsDeps) {
  const { parts, copies, ledgers, masterKey, instance, replayTargetsOf } = deps;
  const { config, realClock, address } = parts;
  const folder = join(config.dataDir, 'sandboxes');
  let nextSecrets: Secrets | null = null;
  const fingerprints = new Map<string, Promise<string>>();

  function urlOf(name: string): string {
    return `${address.url}/sandboxes/${name}`;
  }

  function configOf({ name, profile, databaseName }: Place): Config {
    return {
      ...config,
      profile: profile as Profile | 'none',
      databaseUrl: new Secret(copies.urlOf(databaseName)),
      replicaUrl: null,
      masterKey: new Secret(masterKey.toString('base64')),
      dataDir: join(folder, name),
      publicUrl: urlOf(name),
      // Like that of its ledger.
      processor: { kind: config.processor.kind === 'in-process' ? 'in-process' : 'simulator' },
      databasePool: POOL,
      cache: CACHE_MIB,
    };
  }

  async function open(place: Place & SandboxDatabase, isFirst: boolean) {
    const stopping = new AbortController();
    const own = configOf(place);
    const environment = await openEnvironment(own, {
      ...{ instance, isFirst, stopping, onProgress: () => {}, keyPairs: undefined },
      sandboxName: place.name,
      sandboxes: () => null,
      replayTargets: () => replayTargetsOf(place.name),
      contents: isFirst ? profileContents(place.profile as Profile) : null,
      openProcessor: (database) => ledgers.open(place.ledgerId, database),
    });
    environment.parts.address.url = own.publicUrl ?? '';
    return { environment, stopping };
  }

  /**
   * They take a second of a core, so those of the next sandbox are made before somebody waits for
   * them, and not while somebody waits for this one.
   */
  async function withSecrets<T>(work: (secrets: Secrets) => Promise<T>): Promise<T> {
    const secrets = nextSecrets ?? makeSecrets();
    nextSecrets = null;
    try {
      return await work(secrets);
    } finally {
      nextSecrets ??= makeSecrets();
    }
  }

  /**
   * Uses a database for a while. Over one connection: in a database that was just copied, each reads
   * the whole catalog first.
   */
  async function connected<T>(name: string, work: (copied: Database) => Promise<T>): Promise<T> {
    const copied = connectDatabase({ url: copies.urlOf(name), poolSize: 1 });
    try {
      await letCommitsWait(copied.sql);
      return await work(copied);
    } finally {
      await copied.close();
    }
  }

  return {
    connected,

    async open(row: SandboxRow): Promise<OpenedSandbox> {
      const { environment, stopping } = await open(row, false);
      const { clock, database } = environment.parts;
      return {
        deps: environment.deps,
        handlers: environment.handlers,
        replaying: environment.replaying,
        clock,
        hold: async () => {
          await environment.flushLog();
          await database.hold();
        },
        resume: () => database.resume(),
        nextWorkMs: () => nextWorkMs(environment.parts, environment.dueWork),
        beginStop: () => stopping.abort(),
        stop: environment.stop,
      };
    },

    /** Writes the contents of a profile into a new database, which sandboxes are copied from. */
    async fill(profile: Profile, made: SandboxDatabase): Promise<void> {
      await copies.copy({ from: 'template1', to: made.databaseName });
      await ledgers.make(made.ledgerId);
      const { environment } = await open({ name: UNNAMED, profile, ...made }, true);
      try {
        await environment.sandbox?.filled?.people;
      } finally {
        await environment.stop();
      }
    },

    /** Another program, or other contents, need another template. */
    fingerprintOf(profile: Profile): Promise<string> {
      const known = fingerprints.get(profile) ?? readFingerprint(profile);
      fingerprints.set(profile, known);
      return known;
    },

    /** Gives a copied database accounts with new secrets. */
    async separate(copied: SandboxDatabase, profile: string): Promise<Separated> {
      return await withSecrets((secrets) =>
        connected(copied.databaseName, async (database) => {
          const own = configOf({ name: UNNAMED, profile, ...copied });
          const { password, newSigningKeyPair, newCardKeyPair } = secrets;
          const now = new Date(realClock.nowMs());
          await database.transaction((sql) => separateFromParent(sql, copied.ledgerId, now));
          const { clock } = await openEnvironmentClock({ database, realClock }, 'sandbox');
          const vault = createVault(masterKey);
          const filled = await fillSandbox({
            ...{ config: own, database, vault, clock, realClock, password, newCardKeyPair },
            onProgress: () => {},
          });
          await new SigningKeys({ database, vault, newSigningKeyPair }).ensure(clock.nowMs());
          if (!filled) throw new Error(`a copy of the profile ${profile} has no demo accounts`);
          const demo = await describeContents({ config: own, database }, filled);
          return { demo, clock: clockSeen(clock, realClock) };
        }),
      );
    },

    async introduce(name: string, contents: DemoContents): Promise<DemoFile> {
      const demo = demoFileOf({ url: urlOf(name), tlsUrl: null }, contents);
      await writeDemoFile(join(folder, name), demo);
      return demo;
    },

    keepApart: ({ databaseName, ledgerId }: SandboxDatabase) =>
      connected(databaseName, async (database) => {
        const now = new Date(realClock.nowMs());
        await database.transaction((sql) => keepApart(sql, ledgerId, now));
        const { clock } = await openEnvironmentClock({ database, realClock }, 'sandbox');
        return clockSeen(clock, realClock);
      }),

    async keepOnly(listNames: () => Promise<readonly string[]>): Promise<void> {
      const there = await readdir(folder).catch(() => []);
      const names = await listNames();
      for (const name of there) {
        if (!names.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

/** No sandbox is called so. */
const UNNAMED = '.unnamed';

type Place = Pick<SandboxRow, 'name' | 'profile' | 'databaseName'>;

interface Secrets extends KeyPairs {
  readonly password: ReturnType<typeof makePassword>;
}

/** One at a time: together, they would take every thread from files and requests. */
function makeSecrets(): Secrets {
  const inTurn = pLimit(1);
  const password = inTurn(makePassword);
  // The error appears when it is needed.
  password.catch(() => {});
  return { password, ...keyPairsAhead(inTurn) };
}

/** One for all demo people of a sandbox. */
async function makePassword() {
  const text = randomBytes(18).toString('base64url');
  return { text, hash: await hashRandomPassword(text) };
}

async function readFingerprint(profile: Profile): Promise<string> {
  const hash = createHash('sha256').update(programVersion);
  for (const { checksum } of await readPlatformMigrations()) hash.update(checksum);
  return hash.update(JSON.stringify(profileContents(profile))).digest('hex');
}
