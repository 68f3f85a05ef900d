import { backOfficeScopes, scopes as knownScopes, type Scope } from '@servery/contract';
import {
  type ChangeOrigin,
  type Config,
  type GroupName,
  type ListedClient,
  load,
  readDemoSecrets,
} from '@servery/server';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import {
  configOf,
  type LocalCall,
  type Platform,
  requireDatabase,
  withPlatform,
} from '../platform.ts';
import { listOf } from '../readers.ts';
import { type Columns, credentials, rows, type Shown, said } from '../shown.ts';

const {
  addSecret,
  createClient,
  findClient,
  listClients: listAll,
  listGroupsCalled,
  newClientId,
  recordClientChange,
  revokeAccount,
  systemOrigin,
} = await load.accounts();

interface NewClient {
  readonly type: string;
  readonly name: string;
  readonly scopes: string;
  readonly group: string | undefined;
}

const columns: Columns<ListedClient> = {
  client: 'clientId',
  name: 'name',
  type: 'type',
  of: ({ type, partnerName, managementGroupName }) =>
    partnerName ?? managementGroupName ?? (type === 'BACK_OFFICE' ? 'the platform' : ''),
  scopes: ({ scopes }) => scopes.join(' '),
  revoked: 'revoked',
};

export async function listClients(call: LocalCall): Promise<Shown> {
  const clients = await atDatabase(call, ({ database }) => listAll(database.sql));
  const owner = (guid: string | null, name: string | null) =>
    guid === null ? null : { guid, name };
  const json = clients.map((client) => ({
    clientId: client.clientId,
    name: client.name,
    type: client.type,
    scopes: client.scopes,
    partner: owner(client.partnerGuid, client.partnerName),
    managementGroup: owner(client.managementGroupGuid, client.managementGroupName),
    revoked: client.revoked,
  }));
  return { ...rows(columns, clients, 'There are no API accounts yet.'), json };
}

/** Creates a BACK_OFFICE account. Throws CommandFailure for a wrong scope, name or group. */
export async function createBackOfficeClient(call: LocalCall, options: NewClient): Promise<Shown> {
  const type = 'BACK_OFFICE';
  if (options.type !== type) {
    throw invalidUsage(
      '--local creates only accounts of --type back-office. Create the others with one of these, ' +
        'over HTTP, or with a group document and "servery import".',
    );
  }
  const scopes = readScopes(options.scopes, options.group !== undefined);
  const name = options.name.trim();
  if (name === '') throw invalidUsage('--name is empty. Give the account a name.');
  // This is the one command that creates a database: the first account may come before a start.
  const created = await withPlatform(configOf(call), call, {}, async (platform) => {
    const group = options.group === undefined ? null : await findGroup(platform, options.group);
    const managementGroupGuid = group?.guid ?? null;
    const origin = originOf(platform, 'clients create');
    const clientId = newClientId();
    const secret = { by: origin.by };
    const input = { clientId, name, type, scopes, managementGroupGuid, secret } as const;
    const { vault, clock } = platform;
    const made = await platform.database.transaction((sql) =>
      recordClientChange(sql, origin, clientId, () =>
        createClient({ sql, vault }, input, clock.nowMs()),
      ),
    );
    return { group, ...made };
  });
  const { group, clientId, clientSecret } = created;
  const managementGroup = group && { guid: group.guid, name: group.name };
  const client = { clientId, name, type, scopes, managementGroup };
  const reach = group ? `the restaurants of ${group.name}` : 'the whole platform';
  return credentials({ client, clientSecret }, `Created ${name}, which can reach ${reach}.`);
}

export async function addClientSecret(call: LocalCall, clientId: string): Promise<Shown> {
  const { name, clientSecret } = await atDatabase(call, async (platform) => {
    const { vault, clock } = platform;
    const client = await findAccount(platform, clientId);
    if (client.revoked) {
      throw new CommandFailure(
        `the account ${clientId} was revoked for good. Create another one.`,
        exitCodes.failure,
      );
    }
    const origin = originOf(platform, 'clients secrets add');
    const secret = await platform.database.transaction((sql) =>
      recordClientChange(sql, origin, clientId, () =>
        addSecret({ sql, vault }, clientId, clock.nowMs(), { by: origin.by }),
      ),
    );
    return { name: client.name, clientSecret: secret.clientSecret };
  });
  const json = { client: { clientId, name }, clientSecret };
  const sentence = `Added a secret to ${name}. Its other secrets stay valid.`;
  return credentials(json, sentence);
}

/** Revokes an account with its webhook endpoints at once; a repeat changes nothing. */
export async function revokeClient(call: LocalCall, clientId: string): Promise<Shown> {
  await refuseDemoAccount(configOf(call), clientId);
  const { name, type, changed } = await atDatabase(call, async (platform) => {
    const found = await findAccount(platform, clientId);
    if (found.revoked) return { ...found, changed: false };
    const origin = originOf(platform, 'clients revoke');
    await platform.database.transaction((sql) => revokeAccount(sql, clientId, origin));
    return { ...found, changed: true };
  });
  const json = { clientId, name, type, revoked: true, changed };
  if (!changed) return said(json, `${name} (${clientId}) was already revoked. Nothing changed.`);
  const notes =
    type === 'BACK_OFFICE'
      ? []
      : ['If its group document names it, give it another clientId there: it is revoked for good.'];
  return said(json, `Revoked ${name} (${clientId}) with its secrets and tokens.`, notes);
}

async function atDatabase<Result>(
  call: LocalCall,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const config = configOf(call);
  await requireDatabase(config);
  return await withPlatform(config, call, {}, work);
}

/** The command itself as the actor. */
function originOf(platform: Platform, command: string): ChangeOrigin {
  return systemOrigin(platform, 'servery', command);
}

/** Metrics count what happens in all groups, so that no group's account may read them. */
function readScopes(text: string, isOfGroup: boolean): readonly Scope[] {
  const allowed = backOfficeScopes.filter((scope) => !isOfGroup || scope !== 'metrics:read');
  if (text === 'all') return allowed;
  return listOf(text).map((word) => {
    const scope = allowed.find((candidate) => candidate === word);
    if (scope) return scope;
    throw invalidUsage(
      `the scope ${JSON.stringify(word)} ${whyNot(word)}. Use all, or some of these, separated by ` +
        `commas:\n${allowed.map((one) => `  ${one}`).join('\n')}`,
    );
  });
}

function whyNot(word: string): string {
  if (word === 'metrics:read') return 'is for accounts of the whole platform, without --group';
  return (knownScopes as readonly string[]).includes(word)
    ? 'is for PARTNER and CUSTOMER accounts only'
    : 'is unknown';
}

async function findGroup({ database }: Platform, nameOrGuid: string): Promise<GroupName> {
  const [group, ...others] = await listGroupsCalled(database.sql, nameOrGuid);
  if (group && others.length === 0) return group;
  const all = await listGroupsCalled(database.sql, null);
  const list = all.map(({ guid, name }) => `\n  ${guid}  ${name}`).join('');
  throw invalidUsage(
    all.length === 0
      ? 'there is no management group yet. Import one first, or leave out --group.'
      : `no single management group is named ${JSON.stringify(nameOrGuid)}. There are:${list}`,
  );
}

async function findAccount({ database }: Platform, clientId: string) {
  const client = await findClient(database.sql, clientId);
  if (client) return client;
  throw invalidUsage(
    `there is no API account with the client ID ${clientId}. "servery clients list" shows them.`,
  );
}

/** A sandbox needs these at each start, and revoking is for good. */
async function refuseDemoAccount({ kind, dataDir }: Config, clientId: string): Promise<void> {
  if (kind !== 'sandbox' || !(await readDemoSecrets(dataDir)).has(clientId)) return;
  throw new CommandFailure(
    `${clientId} is one of the sandbox's own accounts (demo.json), and the sandbox does not start ` +
      'without it. Create an account of your own to try this.',
    exitCodes.failure,
  );
}
