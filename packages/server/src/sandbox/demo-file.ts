import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CardEncryptionKey, ClientType, RoleName } from '@servery/contract';
import { makeDataDir } from '@servery/support/data-dir.ts';
import type { Config } from '../config/config.ts';
import type { DemoRestaurant } from './store.ts';

/** The accounts that a sandbox hands out: four for partners, two for the back office. */
export const demoClientNames = [
  'partner',
  'readOnly',
  'group',
  'other',
  'orders',
  'operator',
] as const;

/** One of them. */
export type DemoClientName = (typeof demoClientNames)[number];

/** An account with everything that its holder needs. */
export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What a login sends as `userAccessType` (AUTH-1). */
  readonly userAccessType: string;
  readonly type: ClientType;
  readonly scopes: readonly string[];
  /** The account's own public keys for card data (PAY-4). */
  readonly cardKeys: readonly CardEncryptionKey[];
}

/** A person of the back office with all that logging in takes, and where the role is. */
export interface DemoPerson {
  readonly personGuid: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: RoleName;
  readonly managementGroupGuid: string | null;
  readonly restaurantGuid: string | null;
  readonly partnerGuid: string | null;
}

/** A row of the test card table, as a test needs it. */
export interface DemoTestCard {
  readonly name: string;
  readonly cardNumber: string;
  readonly brand: string;
  readonly cvv: string;
  /** The `paymentState` of the first PUT, or `ERROR` when the answer is an error. */
  readonly outcome: string;
  readonly status: number;
  readonly denialReason: string | null;
  /** The state that the payment comes to by itself, before its apply deadline passes. */
  readonly settles: string;
  /** What voiding and capturing it end as; null when it is not authorized. */
  readonly whenVoided: string | null;
  readonly whenCaptured: string | null;
}

/** What `<data dir>/demo.json` holds: all that a client of the sandbox may need to know. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly tlsUrl: string | null;
  readonly brand: string;
  readonly clients: Readonly<Record<DemoClientName, DemoClient>>;
  /** One person in each role. */
  readonly people: readonly DemoPerson[];
  readonly managementGroupGuid: string;
  readonly restaurants: readonly DemoRestaurant[];
  /** The public card keys of the client `partner`. */
  readonly cardKeys: readonly CardEncryptionKey[];
  readonly testCards: readonly DemoTestCard[];
}

const FILE_NAME = 'demo.json';

/** The path of the file in a data folder. */
export function demoFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * The secrets that an earlier start wrote, by client id. A file that is missing or damaged gives
 * none: its clients then get new secrets.
 */
export async function readDemoSecrets(dataDir: string): Promise<ReadonlyMap<string, string>> {
  try {
    const file = JSON.parse(await readFile(demoFilePath(dataDir), 'utf8')) as DemoFile;
    const clients = Object.values(file.clients);
    return new Map(clients.map(({ clientId, clientSecret }) => [clientId, clientSecret]));
  } catch {
    return new Map();
  }
}

/** Writes the file with mode 600, whole or not at all. */
export async function writeDemoFile(dataDir: string, file: DemoFile): Promise<void> {
  // With a database, a master key and a processor of its own, nothing else makes the folder.
  await makeDataDir(dataDir);
  const draft = `${demoFilePath(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, demoFilePath(dataDir));
}

/**
 * Gives whether a client is one of the sandbox's own accounts: it looks for these at each start,
 * and a revoked one does not come back.
 */
export function isDemoClient({
  kind,
  dataDir,
}: Pick<Config, 'kind' | 'dataDir'>): (clientId: string) => Promise<boolean> {
  return async (clientId) => kind === 'sandbox' && (await readDemoSecrets(dataDir)).has(clientId);
}
