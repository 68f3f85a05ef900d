import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CardEncryptionKey, ClientType, RoleName } from '@servery/contract';
import { makeDataDir } from '@servery/support/data-dir.ts';
import type { DemoRestaurant } from './store.ts';

export const demoClientNames = [
  'partner',
  'readOnly',
  'group',
  'other',
  'orders',
  'operator',
] as const;

export type DemoClientName = (typeof demoClientNames)[number];

export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What a login sends as `userAccessType` (AUTH-1). */
  readonly userAccessType: string;
  readonly type: ClientType;
  readonly scopes: readonly string[];
  readonly cardKeys: readonly CardEncryptionKey[];
}

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

export interface DemoTestCard {
  readonly name: string;
  readonly cardNumber: string;
  readonly brand: string;
  readonly cvv: string;
  /** The `paymentState` of the first PUT, or `ERROR`. */
  readonly outcome: string;
  readonly status: number;
  readonly denialReason: string | null;
  readonly settles: string;
  readonly whenVoided: string | null;
  readonly whenCaptured: string | null;
}

export interface DemoFile extends DemoContents {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly tlsUrl: string | null;
}

export interface DemoContents {
  readonly brand: string;
  readonly clients: Readonly<Record<DemoClientName, DemoClient>>;
  readonly people: readonly DemoPerson[];
  readonly managementGroupGuid: string;
  readonly restaurants: readonly DemoRestaurant[];
  readonly cardKeys: readonly CardEncryptionKey[];
  readonly testCards: readonly DemoTestCard[];
}

const FILE_NAME = 'demo.json';

export function demoFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/** By client id. A missing or damaged file gives none; its clients get new secrets. */
export async function readDemoSecrets(dataDir: string): Promise<ReadonlyMap<string, string>> {
  try {
    const file = JSON.parse(await readFile(demoFilePath(dataDir), 'utf8')) as DemoFile;
    const clients = Object.values(file.clients);
    return new Map(clients.map(({ clientId, clientSecret }) => [clientId, clientSecret]));
  } catch {
    return new Map();
  }
}

/** Mode 600, written whole or not at all. */
export async function writeDemoFile(dataDir: string, file: DemoFile): Promise<void> {
  // With its own database, master key and processor, nothing else creates the folder.
  await makeDataDir(dataDir);
  const draft = `${demoFilePath(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, demoFilePath(dataDir));
}

/** The sandbox looks for its accounts at each start; a revoked one doesn't come back. */
export function isDemoClient({
  kind,
  dataDir,
}: {
  readonly kind: string;
  readonly dataDir: string;
}): (clientId: string) => Promise<boolean> {
  return async (clientId) => kind === 'sandbox' && (await readDemoSecrets(dataDir)).has(clientId);
}
