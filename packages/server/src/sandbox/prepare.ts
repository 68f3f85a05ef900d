import { type Runner, runEvery } from '@servery/support/runner.ts';
import type { GroupContents } from '../group-document/contents.ts';
import { deriveGroupGuid } from '../group-document/identity.ts';
import { importGroup } from '../group-document/import.ts';
import { testCards } from '../payments/cards/test-cards.ts';
import { findGroupName } from '../restaurants/write-store.ts';
import { occupyFolder } from './data-folder.ts';
import { type DemoClientDeps, ensureDemoClients } from './demo-clients.ts';
import {
  type DemoClient,
  type DemoClientName,
  type DemoContents,
  type DemoFile,
  type DemoPerson,
  type DemoTestCard,
  demoFilePath,
  readDemoSecrets,
  writeDemoFile,
} from './demo-file.ts';
import type { DemoOrderDeps } from './demo-orders.ts';
import { type DemoPeopleDeps, ensureDemoPeople } from './demo-people.ts';
import { greeting, greetingWithoutDemo } from './greeting.ts';
import { type Profile, profileContents, profileGroupName } from './profile.ts';
import { findHasGroups, listPartnerReach, listRestaurants } from './store.ts';

export interface SandboxDeps extends Omit<DemoClientDeps, 'brand'>, DemoPeopleDeps {
  readonly config: {
    readonly brand: string;
    readonly dataDir: string;
    readonly profile: Profile | 'none';
  };
  readonly onProgress: (line: string) => void;
  readonly contents?: GroupContents | null;
  /** Null if cards can't be paid by, because the processor is not a simulator. */
  readonly orders?: DemoOrderDeps | null;
}

export interface FilledSandbox {
  readonly managementGroupGuid: string;
  readonly clients: Record<DemoClientName, DemoClient>;
  /** Awaited only when it is needed: password hashing runs on another thread. */
  readonly people: Promise<readonly DemoPerson[]>;
}

/**
 * An existing sandbox keeps its content. Returns null and creates no accounts for the profile
 * `none`, and for a database that somebody else filled.
 */
export async function fillSandbox(deps: SandboxDeps): Promise<FilledSandbox | null> {
  const { config, database, onProgress } = deps;
  const { profile } = config;
  if (profile === 'none') return null;
  const managementGroupGuid = deriveGroupGuid(profileGroupName(profile));
  const isNew = (await findGroupName(database.sql, managementGroupGuid)) === null;
  if (isNew) {
    if (await findHasGroups(database.sql)) {
      onProgress('the database has groups of its own: no demo group or account is made');
      return null;
    }
    onProgress(`loading the ${profile} profile`);
    await importGroup(deps, deps.contents ?? profileContents(profile));
  }
  const people = ensureDemoPeople(deps, managementGroupGuid);
  // Prevents an unhandled rejection before somebody awaits it.
  people.catch(() => {});
  const secrets = await readDemoSecrets(config.dataDir);
  const accounts = { ...deps, brand: config.brand };
  const clients = await ensureDemoClients(accounts, managementGroupGuid, secrets, onProgress);
  if (isNew && profile === 'demo') await orderInDemo(deps, managementGroupGuid, clients);
  return { managementGroupGuid, clients, people };
}

/** A start must not fail because of them, for example while the card simulator is slow. */
async function orderInDemo(
  { database, orders, onProgress }: SandboxDeps,
  managementGroupGuid: string,
  clients: FilledSandbox['clients'],
): Promise<void> {
  if (!orders) return;
  // Later starts never need it.
  const { placeDemoOrders } = await import('./demo-orders.ts');
  try {
    const [partner] = await listPartnerReach(database.sql, managementGroupGuid);
    const restaurants = await listRestaurants(database.sql, managementGroupGuid);
    await placeDemoOrders(
      orders,
      { ...clients, partnerGuid: partner?.guid ?? '' },
      new Map(restaurants.map(({ name, guid }) => [name, guid])),
    );
  } catch (error) {
    onProgress(`the demo orders are not complete: ${String(error)}`);
  }
}

export interface SandboxAddresses {
  readonly url: string;
  readonly ownUrl: string;
  readonly tlsUrl: string | null;
  readonly instance: string;
}

export interface Announced {
  /** The terminal text. */
  readonly greeting: string;
  /** Waits until the other server of the folder has ended; null if this one has it. */
  readonly waiting: Runner | null;
}

const LOOK_MS = 1_000;

/**
 * `demo.json` stays unchanged while another living server has the folder, and names this one once
 * that has ended.
 */
export async function announceSandbox(
  { config, database, onProgress }: SandboxDeps,
  filled: FilledSandbox | null,
  addresses: SandboxAddresses,
  onError: (error: unknown) => void,
): Promise<Announced> {
  const { ownUrl: url, instance } = addresses;
  const { dataDir } = config;
  const occupy = () => occupyFolder(dataDir, database, { url, instance });
  const occupant = await occupy();
  if (!filled) return { greeting: greetingWithoutDemo(config, addresses.url), waiting: null };
  const file = demoFileOf(addresses, await describeContents({ config, database }, filled));
  const announced = greeting(dataDir, file);
  if (!occupant) {
    await writeDemoFile(dataDir, file);
    return { greeting: announced, waiting: null };
  }
  const demoFile = demoFilePath(dataDir);
  onProgress(`${demoFile} still names the server at ${occupant.url}, which uses the same folder`);
  const takeOver = async () => {
    if (await occupy()) return;
    void waiting.stop();
    await writeDemoFile(dataDir, file);
    onProgress(`${demoFile} names this server now: the one at ${occupant.url} has ended`);
  };
  const waiting = runEvery(LOOK_MS, takeOver, onError);
  return { greeting: announced, waiting };
}

/** All that its clients need to know, but for its addresses. */
export async function describeContents(
  { config, database }: Pick<SandboxDeps, 'database'> & { readonly config: { brand: string } },
  { managementGroupGuid, clients, people }: FilledSandbox,
): Promise<DemoContents> {
  return {
    brand: config.brand,
    clients,
    people: await people,
    managementGroupGuid,
    restaurants: await listRestaurants(database.sql, managementGroupGuid),
    cardKeys: clients.partner.cardKeys,
    testCards: demoTestCards(),
  };
}

export function demoFileOf(
  { url, tlsUrl }: Pick<SandboxAddresses, 'url' | 'tlsUrl'>,
  contents: DemoContents,
): DemoFile {
  return { baseUrl: url, authUrl: url, tlsUrl, ...contents };
}

function demoTestCards(): DemoTestCard[] {
  return testCards.map((card) => ({
    name: card.description,
    cardNumber: card.number,
    brand: card.brand,
    cvv: '1234'.slice(0, card.cvvLength),
    outcome: card.paymentState ?? 'ERROR',
    status: card.status,
    denialReason: card.guestText,
    settles: card.settles,
    whenVoided: card.whenVoided,
    whenCaptured: card.whenCaptured,
  }));
}
