import type { webcrypto } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brandedHeaders } from '@servery/contract';
import {
  LOAD_CORE,
  MEASURED_CORE,
  pinFamily,
  ROOT,
  type StartedProcess,
  startProcess,
} from './processes.ts';

/** How a platform differs from the one that most scenarios measure. */
export interface PlatformSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of `npm start`. */
  readonly flags?: readonly string[];
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** A list of cores as `taskset` reads it; `MEASURED_CORE` when absent. */
  readonly cores?: string;
  /** Where its data are, and stay; a new folder that is removed in the end when absent. */
  readonly folder?: string;
}

/** The whole product under measurement, and how to ask it. */
export interface MeasuredPlatform extends StartedProcess {
  /** Where its data are. */
  readonly dataDir: string;
  readonly demo: Demo;
  /** Of the partner, at the restaurant with the most items. */
  readonly headers: Readonly<Record<string, string>>;
  readonly restaurantGuid: string;
  /** Headers of an account of the demo group, without a restaurant. */
  headersOf(client: string): Promise<Record<string, string>>;
  /** The process of its embedded PostgreSQL that starts all others. */
  readonly postmaster: number;
}

/** What of `demo.json` is needed to measure. */
interface Demo {
  readonly brand: string;
  readonly clients: Readonly<Record<string, DemoClient>>;
  readonly restaurants: readonly { readonly guid: string; readonly archived: boolean }[];
  readonly cardKeys: readonly {
    readonly keyId: string;
    readonly publicKeyJwk: webcrypto.JsonWebKey;
  }[];
  readonly testCards: readonly {
    readonly cardNumber: string;
    readonly cvv: string;
    readonly outcome: string;
    readonly settles: string;
    readonly name: string;
  }[];
}

interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAccessType: string;
}

/** The operation that gives out tokens. */
export const LOGIN = '/authentication/v1/authentication/login';

/**
 * What is different from an `npm start` without settings: budgets that no load reaches, so that
 * they are counted but do not refuse, and the simulator of the card network in the measured
 * process, for one in a process of its own would share the machine with what is measured.
 */
const RAISED = {
  SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
  SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000000',
  SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '1000000',
  SERVERY_RATE_LIMIT_ORDERS_BULK_PER_SECOND: '1000000',
  SERVERY_PROCESSOR: 'in-process',
};

/** The environment without settings of the product, which may be those of a real platform. */
export function productEnvironment(
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const entries = Object.entries(process.env);
  const kept = entries.filter(([name]) => !/^(SERVERY_|DATABASE_URL$|NODE_)/.test(name));
  return { ...Object.fromEntries(kept), ...RAISED, ...more };
}

/** How `npm start` starts the product. */
export interface StartCommand {
  /** For Node.js: flags, which bound the memory, and the program. */
  readonly args: readonly string[];
  /** Where Node.js finds what it has compiled. */
  readonly env: Readonly<Record<string, string>>;
}

/** Reads from package.json how `npm start` starts the product. */
export async function startCommand(): Promise<StartCommand> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const [settings = '', args = ''] = String(scripts.start).split(' exec node ');
  return {
    args: args.split(' '),
    env: Object.fromEntries(settings.split(' ').map((setting) => setting.split('='))),
  };
}

/** The data folder within the folder of a platform, which also has its log. */
export const DATA_FOLDER = 'data';

/** Folders of platforms, for a bench that is broken off. */
const folders = new Set<string>();

/** Removes what the platforms of a bench that is broken off have left; they have to be gone. */
export async function removeFolders(): Promise<void> {
  await Promise.all([...folders].map((one) => rm(one, { recursive: true, force: true })));
}

/** Makes the folder of a platform, which the account of PostgreSQL can enter as well. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-bench-'));
  folders.add(folder);
  await chmod(folder, 0o755);
  return folder;
}

/**
 * Starts the whole product, on a new data folder unless the settings name one: authentication,
 * grants, budgets, the log at its default level into a file, the log of requests, and the embedded
 * database with `fsync` on. The server has one core, its database that of the load. Disposing it
 * stops it, and removes its data when they are its own.
 */
export async function startPlatform(settings: PlatformSettings = {}): Promise<MeasuredPlatform> {
  const { env = {}, flags = [], nodeFlags = [], cores = MEASURED_CORE } = settings;
  const folder = settings.folder ?? (await makeFolder());
  const dataDir = join(folder, DATA_FOLDER);
  const start = await startCommand();
  const started = await startProcess(
    [...nodeFlags, ...start.args, ...['--port', '0', '--data-dir', dataDir], ...flags],
    { cores, logFile: join(folder, 'log'), env: productEnvironment({ ...start.env, ...env }) },
  );
  // Before the database: that is one of its descendants, too.
  await pinFamily(started.pid, cores);
  const postmaster = await pinDatabase(dataDir);
  const demo: Demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  const headersOf = (client: string) => logIn(started.url, demo, client);
  const largest = await findLargest(started.url, demo, await headersOf('partner'));
  return {
    ...started,
    dataDir,
    demo,
    ...largest,
    headersOf,
    postmaster,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      if (!settings.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Pins the embedded PostgreSQL and what it started; what it starts later inherits that. */
async function pinDatabase(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  const postmaster = Number.parseInt(await readFile(file, 'utf8'), 10);
  await pinFamily(postmaster, LOAD_CORE);
  return postmaster;
}

async function logIn(url: string, demo: Demo, client: string): Promise<Record<string, string>> {
  const login = await fetch(url + LOGIN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demo.clients[client]),
  });
  const { token } = (await login.json()) as { token: { accessToken: string } };
  return { authorization: `Bearer ${token.accessToken}` };
}

async function findLargest(url: string, demo: Demo, account: Readonly<Record<string, string>>) {
  const name = brandedHeaders(demo.brand).restaurantExternalId;
  const candidates = demo.restaurants.filter(({ archived }) => !archived);
  const sizes = await Promise.all(
    candidates.map(async ({ guid }) => {
      const headers = { ...account, [name]: guid };
      const response = await fetch(`${url}/config/v2/menuItems`, { headers });
      const items = ((await response.json()) as unknown[]).length;
      return { headers, restaurantGuid: guid, items };
    }),
  );
  const [largest] = sizes.toSorted((a, b) => b.items - a.items);
  if (!largest) throw new Error('the demo group has no restaurant');
  return { headers: largest.headers, restaurantGuid: largest.restaurantGuid };
}
