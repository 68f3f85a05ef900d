import {
  backOfficeScopes,
  machineClientAccessType,
  partnerScopes,
  type Scope,
} from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { derivedGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import {
  addSecret,
  createClient,
  findSecretOf,
  type NewClientInput,
  secretDigest,
} from '../clients/clients.ts';
import type { Database } from '../database/database.ts';
import { deriveGroupGuid } from '../group-document/identity.ts';
import {
  type CardKeyAlgorithm,
  defaultCardKeyAlgorithms,
} from '../payments/cards/card-key-algorithm.ts';
import {
  type IssueCardKeyDeps,
  issueCardKey,
  listPublicCardKeys,
} from '../payments/cards/card-keys.ts';
import { type DemoClient, type DemoClientName, demoClientNames } from './demo-file.ts';
import { type Profile, profileGroupName } from './profile.ts';
import { findPartnerOfClient, findSecretDigests, listPartnerReach } from './store.ts';

export interface DemoClientDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly brand: string;
  readonly newCardKeyPair?: NonNullable<IssueCardKeyDeps['newCardKeyPair']>;
}

const ordersScopes = backOfficeScopes.filter((scope) =>
  /^(payments\.lifecycle|orders\.admin|clock):/.test(scope),
);

/**
 * Only the main partner shows every way to encrypt: each RSA pair costs a quarter of a second of
 * the first start.
 */
const otherCardKeyAlgorithms = ['ECDH-ES'] as const;
const readScopes = partnerScopes.filter((scope) => scope.endsWith(':read'));

/**
 * Creates missing accounts. Secrets in `knownSecrets` (by client id) stay; an account with a lost
 * secret gets a new one.
 */
export async function ensureDemoClients(
  deps: DemoClientDeps,
  groupGuid: string,
  knownSecrets: ReadonlyMap<string, string>,
  onProgress: (line: string) => void,
): Promise<Record<DemoClientName, DemoClient>> {
  const inputs = await plan(deps, groupGuid);
  const userAccessType = machineClientAccessType(deps.brand);
  let isTold = false;
  const onNewKeys = () => {
    if (!isTold) onProgress('making card encryption keys');
    isTold = true;
  };
  const entries = await Promise.all(
    demoClientNames.map(async (name): Promise<[DemoClientName, DemoClient]> => {
      const clientId = clientIdOf(groupGuid, name);
      const input = { ...inputs[name], clientId };
      const clientSecret = await ensureSecret(deps, input, knownSecrets.get(clientId));
      const algorithms = name === 'partner' ? defaultCardKeyAlgorithms : otherCardKeyAlgorithms;
      const cardKeys = await ensureCardKeys(deps, input, algorithms, onNewKeys);
      const { type, scopes } = input;
      return [name, { clientId, clientSecret, userAccessType, type, scopes, cardKeys }];
    }),
  );
  return Object.fromEntries(entries) as Record<DemoClientName, DemoClient>;
}

const clientIdOf = (groupGuid: string, name: DemoClientName) =>
  derivedGuid(groupGuid, `clients/${name}`);

/** The client id that the sandbox gives to an account. Null if it has no account of that name. */
export function demoClientId(profile: Profile | 'none', account: string): string | null {
  const name = demoClientNames.find((each) => each === account);
  if (profile === 'none' || name === undefined) return null;
  return clientIdOf(deriveGroupGuid(profileGroupName(profile)), name);
}

type DemoClientInput = NewClientInput & {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
};

/**
 * The partner with the most connections is the main one; `other` reaches nothing at first. Later
 * starts keep the partners of the accounts, whatever was connected since.
 */
async function plan(
  { database: { sql } }: DemoClientDeps,
  groupGuid: string,
): Promise<Record<DemoClientName, Omit<DemoClientInput, 'clientId'>>> {
  const partners = await listPartnerReach(sql, groupGuid);
  const partnerOf = async (name: DemoClientName) => {
    const guid = await findPartnerOfClient(sql, clientIdOf(groupGuid, name));
    return partners.find((one) => one.guid === guid);
  };
  const main = (await partnerOf('partner')) ?? partners.find(({ connections }) => connections > 0);
  const stranger =
    (await partnerOf('other')) ?? partners.find(({ connections }) => connections === 0);
  if (!main || !stranger) {
    throw new Error(
      'A sandbox needs one partner that is connected to its group and one that is not: import a ' +
        'document with both, or use --profile none on an empty database.',
    );
  }
  const partner = { type: 'PARTNER', partnerGuid: main.guid } as const;
  const group = { type: 'CUSTOMER', managementGroupGuid: groupGuid } as const;
  const other = { type: 'PARTNER', partnerGuid: stranger.guid } as const;
  const orders = { type: 'BACK_OFFICE', managementGroupGuid: groupGuid } as const;
  return {
    partner: { ...partner, name: 'Demo partner', scopes: partnerScopes },
    readOnly: { ...partner, name: 'Demo partner, read only', scopes: readScopes },
    group: { ...group, name: 'Demo management group', scopes: partnerScopes },
    other: { ...other, name: 'Unconnected partner', scopes: partnerScopes },
    orders: { ...orders, name: 'Demo orders system', scopes: ordersScopes },
    operator: { type: 'BACK_OFFICE', name: 'Demo operator', scopes: backOfficeScopes },
  };
}

async function ensureSecret(
  { database, vault, clock }: DemoClientDeps,
  input: DemoClientInput,
  known: string | undefined,
): Promise<string> {
  const nowMs = clock.nowMs();
  const { clientId } = input;
  const digests = await findSecretDigests(database.sql, clientId, new Date(nowMs));
  if (digests === null) {
    return database.transaction(async (sql) => {
      const credentials = await createClient({ sql, vault }, input, nowMs);
      return credentials.clientSecret;
    });
  }
  const credentials = { clientId, clientSecret: known ?? '' };
  const secrets = digests.map((digest) => ({ digest }));
  if (known !== undefined && findSecretOf(secretDigest(vault, credentials), secrets)) return known;
  return (await addSecret({ sql: database.sql, vault }, clientId, nowMs)).clientSecret;
}

async function ensureCardKeys(
  deps: DemoClientDeps,
  { clientId, scopes: granted }: DemoClientInput,
  algorithms: readonly CardKeyAlgorithm[],
  onFirst: () => void,
) {
  if (!granted.includes('credit_cards.authorization:write')) return [];
  const existing = await listPublicCardKeys(deps, clientId);
  if (existing.length > 0) return existing;
  onFirst();
  await Promise.all(algorithms.map((algorithm) => issueCardKey(deps, { clientId, algorithm })));
  return listPublicCardKeys(deps, clientId);
}
