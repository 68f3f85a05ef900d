import { backOfficeScopes, scopes as knownScopes, type Scope } from '@servery/contract';
import type { ChangeOrigin } from '@servery/server/audit/entry-store.ts';
import { systemOrigin } from '@servery/server/audit/origin.ts';
import { type ListedClient, listClients } from '@servery/server/clients/client-store.ts';
import { addSecret, createClient, newClientId } from '@servery/server/clients/clients.ts';
import { findClient } from '@servery/server/clients/group-client-store.ts';
import { recordClientChange } from '@servery/server/clients/record-client.ts';
import { revokeAccount } from '@servery/server/clients/revoke-account.ts';
import type { Config } from '@servery/server/config/config.ts';
import { type GroupName, listGroupsCalled } from '@servery/server/restaurants/write-store.ts';
import { readDemoSecrets } from '@servery/server/sandbox/demo-file.ts';
import type { Environment } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { type CommandContext, type Platform, requireDatabase, withPlatform } from '../platform.ts';
import { showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';

/** The options of every `servery clients`. */
export interface ClientsFlags {
  readonly json?: boolean;
}

/** The options of `servery clients create`. */
export interface CreateFlags extends ClientsFlags {
  readonly name: string;
  /** Separated by commas, or `all`. */
  readonly scopes: string;
  /** Name or GUID; absent for the whole platform. */
  readonly group?: string;
}

type Context = CommandContext & { readonly env: Environment };

const columns: readonly Column<ListedClient>[] = [
  { title: 'client', cell: ({ clientId }) => clientId },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'type', cell: ({ type }) => type },
  { title: 'of', cell: ownerText, breaks: true },
  { title: 'scopes', cell: ({ scopes }) => scopes.join(' '), breaks: true },
  { title: 'revoked', cell: ({ revoked }) => (revoked ? 'revoked' : '') },
];

/** `servery clients list`: every API account that there ever was, without secrets. */
export async function runClientsList(
  config: Config,
  flags: ClientsFlags,
  context: Context,
): Promise<void> {
  await requireDatabase(config);
  const clients = await withPlatform(config, context, {}, ({ database }) =>
    listClients(database.sql),
  );
  if (!flags.json) return showTable(context, columns, clients, 'There is no API account yet.');
  showJson(
    context,
    clients.map((client) => ({
      clientId: client.clientId,
      name: client.name,
      type: client.type,
      scopes: client.scopes,
      partner: ownerOf(client.partnerGuid, client.partnerName),
      managementGroup: ownerOf(client.managementGroupGuid, client.managementGroupName),
      revoked: client.revoked,
    })),
  );
}

/**
 * `servery clients create`: makes a BACK_OFFICE account and shows its secret, which cannot be shown
 * again. Throws CommandFailure for a scope, name or group that is not right.
 */
export async function runClientsCreate(
  config: Config,
  flags: CreateFlags,
  context: Context,
): Promise<void> {
  // What is wrong with the words is told before a database is opened for them.
  const scopes = readScopes(flags.scopes, flags.group !== undefined);
  const name = flags.name.trim();
  if (name === '') throw invalidUsage('--name is empty: say what people call the account.');
  const type = 'BACK_OFFICE';
  const created = await withPlatform(config, context, {}, async (platform) => {
    const { vault, clock } = platform;
    const group = flags.group === undefined ? null : await findGroup(platform, flags.group);
    const managementGroupGuid = group?.guid ?? null;
    const origin = originOf(platform, 'clients create');
    const clientId = newClientId();
    const secret = { by: origin.by };
    const input = { clientId, name, type, scopes, managementGroupGuid, secret } as const;
    const credentials = await platform.database.transaction((sql) =>
      recordClientChange(sql, origin, clientId, () =>
        createClient({ sql, vault }, input, clock.nowMs()),
      ),
    );
    return { group, ...credentials };
  });
  const { group, clientId, clientSecret } = created;
  if (flags.json) {
    const managementGroup = group && { guid: group.guid, name: group.name };
    const client = { clientId, name, type, scopes, managementGroup };
    return showJson(context, { client, clientSecret });
  }
  const reach = group ? `the restaurants of ${group.name}` : 'the whole platform';
  showSecret(context, `Created ${name}, which reaches ${reach}.`, { clientId, clientSecret });
}

/** `servery clients add-secret ID`: one more secret; those that live go on. */
export async function runClientsAddSecret(
  config: Config,
  clientId: string,
  flags: ClientsFlags,
  context: Context,
): Promise<void> {
  await requireDatabase(config);
  const { name, secret } = await withPlatform(config, context, {}, async (platform) => {
    const { vault, clock } = platform;
    const client = await findAccount(platform, clientId);
    if (client.revoked) {
      throw new CommandFailure(
        `The account ${clientId} was revoked, and a revoked account does not come back: create ` +
          'another one.',
        exitCodes.failure,
      );
    }
    const origin = originOf(platform, 'clients add-secret');
    const secret = await platform.database.transaction((sql) =>
      recordClientChange(sql, origin, clientId, () =>
        addSecret({ sql, vault }, clientId, clock.nowMs(), { by: origin.by }),
      ),
    );
    return { name: client.name, secret };
  });
  const { clientSecret } = secret;
  if (flags.json) return showJson(context, { client: { clientId, name }, clientSecret });
  const said = `${name} has one more secret; those it had go on.`;
  showSecret(context, said, { clientId, clientSecret });
}

/**
 * `servery clients revoke ID`: ends an account with its webhook endpoints at once; a repeat does
 * nothing and says so.
 */
export async function runClientsRevoke(
  config: Config,
  clientId: string,
  flags: ClientsFlags,
  context: Context,
): Promise<void> {
  await refuseDemoAccount(config, clientId);
  await requireDatabase(config);
  const { client, changed } = await withPlatform(config, context, {}, async (platform) => {
    const found = await findAccount(platform, clientId);
    if (found.revoked) return { client: found, changed: false };
    const origin = originOf(platform, 'clients revoke');
    await platform.database.transaction((sql) => revokeAccount(sql, clientId, origin));
    return { client: found, changed: true };
  });
  const { name, type } = client;
  if (flags.json) return showJson(context, { clientId, name, type, revoked: true, changed });
  const { out, err } = context.terminal;
  const said = changed
    ? `Revoked ${name} (${clientId}): none of its secrets and tokens is accepted any more.`
    : `${name} (${clientId}) was revoked before: nothing was changed.`;
  out.write(`${printable(said)}\n`);
  if (changed && type !== 'BACK_OFFICE') {
    err.write(
      'Its group document may name it still: give it another clientId there, for a revoked ' +
        'account does not come back.\n',
    );
  }
}

/** The command itself as who makes a change. */
function originOf(platform: Platform, command: string): ChangeOrigin {
  return systemOrigin(platform, 'servery', command);
}

/** Metrics count what happens in all groups, so that no group's account may read them. */
function readScopes(text: string, isOfGroup: boolean): readonly Scope[] {
  const allowed = backOfficeScopes.filter((scope) => !isOfGroup || scope !== 'metrics:read');
  if (text === 'all') return allowed;
  const words = text.split(',').map((word) => word.trim());
  return words.map((word) => {
    const scope = allowed.find((candidate) => candidate === word);
    if (scope) return scope;
    throw invalidUsage(
      `The scope ${JSON.stringify(word)} ${whyNot(word)}. The account may have all, or some of ` +
        `these, separated by commas:\n${allowed.map((one) => `  ${one}`).join('\n')}`,
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
      ? 'there is no management group yet: import one first, or leave --group out.'
      : `no one management group is ${JSON.stringify(nameOrGuid)}; there are:${list}`,
  );
}

async function findAccount({ database }: Platform, clientId: string) {
  const client = await findClient(database.sql, clientId);
  if (client) return client;
  throw invalidUsage(
    `there is no API account with the clientId ${clientId}: "servery clients list" shows them.`,
  );
}

/** A sandbox looks for these at each start, and a revoked account does not come back. */
async function refuseDemoAccount({ kind, dataDir }: Config, clientId: string): Promise<void> {
  if (kind !== 'sandbox' || !(await readDemoSecrets(dataDir)).has(clientId)) return;
  throw new CommandFailure(
    `${clientId} is one of the sandbox’s own accounts (demo.json), without which it does not ` +
      'start. Create one of your own to try this with.',
    exitCodes.failure,
  );
}

function showSecret(
  { terminal }: Context,
  said: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): void {
  terminal.out.write(
    `${printable(said)} The secret is shown only here:\n` +
      `  clientId      ${clientId}\n  clientSecret  ${clientSecret}\n`,
  );
}

function ownerText({ type, partnerName, managementGroupName }: ListedClient): string {
  return partnerName ?? managementGroupName ?? (type === 'BACK_OFFICE' ? 'the platform' : '');
}

function ownerOf(guid: string | null, name: string | null) {
  return guid === null ? null : { guid, name };
}
