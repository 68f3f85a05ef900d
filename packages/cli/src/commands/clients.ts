import type { ApiClient, ApiClientUsage, NewApiClient } from '@servery/contract';
import { type At, command, type Family } from '../command.ts';
import { editOptions, edits, needsFields } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { day, listOf, oneOf } from '../readers.ts';
import { type Columns, counted, credentials, rows, type Shown, said } from '../shown.ts';
import {
  as,
  group,
  guid,
  limit,
  naming,
  partner,
  required,
  secretOptions,
  text,
  the,
  toggle,
} from '../values.ts';
import { until } from '../when.ts';

const SCOPES_SHOWN = 6;

const columns: Columns<ApiClient> = {
  client: 'clientId',
  name: 'name',
  type: 'type',
  of: ({ type, partner: own, managementGroup }) =>
    own?.name ?? managementGroup?.name ?? (type === 'BACK_OFFICE' ? 'the platform' : ''),
  // An operator has more scopes than a table has room for.
  scopes: ({ scopes }) =>
    scopes.length > SCOPES_SHOWN ? `${scopes.length} scopes` : scopes.join(' '),
  secrets: ({ secrets }) => secrets.filter(isLive).length,
  'last used': 'lastUsedAt',
  revoked: 'revokedAt',
};

const usageColumns: Columns<ApiClientUsage['operations'][number]> = {
  operation: 'operation',
  requests: 'requests',
  answers: ({ statuses }) => statuses.map((one) => `${one.status}: ${one.requests}`).join(', '),
};

const readType = oneOf({
  partner: 'PARTNER',
  customer: 'CUSTOMER',
  'back-office': 'BACK_OFFICE',
} satisfies Record<string, NewApiClient['type']>);
const type = {
  ...text('<type>', 'partner, customer, or back-office', readType),
  completions: async () => ['partner', 'customer', 'back-office'],
};
const SCOPES =
  'scopes separated by commas, or all. An operator can give any scope; others can give those ' +
  'that they have, or that another account of the same owner has';

const localOptions = {
  local: as(null, toggle('use the database directly, whether or not the server is running')),
  databaseUrl: as(null, text('<url>', 'with --local: a PostgreSQL to use (DATABASE_URL)')),
};

function locally(
  { options: { local } }: { readonly options: { readonly local: boolean | undefined } },
  run: (commands: typeof import('./clients-local.ts')) => Promise<Shown>,
): Promise<Shown> | null {
  return local ? import('./clients-local.ts').then(run) : null;
}

export const clients: Family = {
  name: 'clients',
  summary: 'Create, view, edit, and revoke API accounts and their secrets',
  parts: { secrets: 'Add and revoke secrets of an account' },
  examples: [
    'servery clients create --type back-office --name Orders --scopes all --group Wrenfield',
    'servery clients secrets add Orders --others-expire 7d',
    'servery clients create --local --type back-office --name Operator --scopes all',
  ],
  commands: [
    command({
      name: 'list',
      summary: 'List API accounts, newest first, without secrets',
      examples: ['servery clients list --type partner'],
      isDefault: true,
      options: {
        type,
        partner: partner(text('<partner>', 'its partner: name or GUID')),
        group: group(text('<group>', 'its management group: name or GUID')),
        name: text('<text>', 'name contains this text'),
        revoked: toggle('only revoked accounts'),
        limit,
        ...localOptions,
      },
      operation: 'backOffice.clients.list',
      local: (call) => locally(call, (own) => own.listClients(call)),
      pages: { columns, empty: 'No API account matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show an API account and the details of its secrets, without their values',
      examples: ['servery clients show partner'],
      arguments: { client: the.client },
      operation: 'backOffice.clients.get',
    }),
    command({
      name: 'usage',
      summary: 'Show what an account calls, and which scopes it never uses',
      examples: ['servery clients usage partner --from 2026-01-01'],
      arguments: { client: the.client },
      options: {
        from: text('<date>', 'first day (default: 29 days before the last)', day),
        to: text('<date>', 'last day (default: today)', day),
      },
      operation: 'backOffice.clients.usage',
      show: usageShown,
    }),
    command({
      name: 'create',
      summary: 'Create an API account and show its secret once',
      examples: [
        'servery clients create --type partner --partner Orderwhistle --name "Till 2" --scopes all',
      ],
      options: {
        type: required(type),
        name: required(text('<name>', 'name of the account')),
        description: text('<text>', 'what it is for'),
        partner: partner(text('<partner>', 'for --type partner, its partner: name or GUID')),
        group: group(
          text('<group>', 'management group that it can reach: name or GUID (default: all)'),
        ),
        scopes: naming(scopesOf, 'scopes', required(text('<scopes>', SCOPES))),
        label: as('secret.label', secretOptions.label),
        expires: as('secret.expiresAt', secretOptions.expires),
        ...localOptions,
      },
      check: checkOwner,
      operation: 'backOffice.clients.create',
      local: (call) => locally(call, (own) => own.createBackOfficeClient(call, call.options)),
      show: (issued) => credentials(issued, `Created ${issued.client.name}.`),
    }),
    command({
      name: 'edit',
      summary: 'Edit an account; new scopes apply to its next request',
      examples: ['servery clients edit readOnly --scopes stock:read,config:read'],
      arguments: { client: the.client },
      options: {
        name: text('<name>', 'new name'),
        scopes: text(
          '<scopes>',
          'the complete new list of scopes: see servery clients create',
          listOf,
        ),
        ...editOptions,
      },
      operation: 'backOffice.clients.update',
      check: needsFields('ApiClientEdit'),
      run: edits('backOffice.clients.get'),
    }),
    command({
      name: 'secrets add',
      summary: 'Add a secret and show it once',
      examples: ['servery clients secrets add "Till 2"'],
      arguments: { client: the.client },
      options: {
        ...secretOptions,
        othersExpire: until(
          text('<when>', 'when the other secrets expire: 7d, or ISO 8601'),
          'othersExpireAt',
        ),
        ...localOptions,
      },
      operation: 'backOffice.clients.addSecret',
      local: (call) => locally(call, (own) => own.addClientSecret(call, call.args.client)),
      show: (issued, { options: { othersExpire } }) => {
        const others =
          othersExpire === undefined
            ? 'Its other secrets stay valid.'
            : `Its other secrets expire at ${othersExpire} at the latest.`;
        return credentials(issued, `Added a secret to ${issued.client.name}. ${others}`);
      },
    }),
    command({
      name: 'secrets revoke',
      summary: 'Revoke a secret and its tokens at once',
      examples: ['servery clients secrets revoke "Till 2" 0192…'],
      arguments: {
        client: the.client,
        secret: guid('secretGuid', 'a secret', 'servery clients show'),
      },
      operation: 'backOffice.clients.revokeSecret',
      show: (account) => {
        const left = counted(account.secrets.filter(isLive).length, 'live secret');
        return said(
          account,
          `Revoked the secret and its tokens. ${account.name} has ${left} left.`,
        );
      },
    }),
    command({
      name: 'revoke',
      summary: 'Revoke an account and all its secrets and tokens, for good',
      examples: ['servery clients revoke "Till 2"'],
      arguments: { client: the.client },
      options: localOptions,
      operation: 'backOffice.clients.revoke',
      local: (call) => locally(call, (own) => own.revokeClient(call, call.args.client)),
      show: (ended) =>
        said(ended, `Revoked ${ended.name} (${ended.clientId}) with its secrets and tokens.`),
    }),
  ],
};

/** `all` is every scope that an account of the type can have at its place. */
function checkOwner({
  options: { type: own, partner: itsPartner, group: itsGroup, local },
}: {
  readonly options: Readonly<Record<'partner' | 'group', string | undefined>> & {
    readonly type: string;
    readonly local: boolean | undefined;
  };
}): void {
  // On the database itself there are no such accounts.
  if (local) return;
  if (own === 'PARTNER' && itsPartner === undefined) {
    throw invalidUsage('which partner is the account for? Use --partner.');
  }
  if (own === 'CUSTOMER' && itsGroup === undefined) {
    throw invalidUsage('which management group is the account for? Use --group.');
  }
}

async function scopesOf(written: string, { given }: At): Promise<readonly string[]> {
  if (written !== 'all') return listOf(written);
  const { scopesFor } = await import('@servery/contract');
  // Metrics count what happens in all groups.
  return scopesFor(given.type as NewApiClient['type']).filter(
    (scope) => given.group === undefined || scope !== 'metrics:read',
  );
}

function usageShown(usage: ApiClientUsage): Shown {
  const { from, to, requests, restaurantCount, scopes } = usage;
  const never = scopes.filter(({ lastUsedAt }) => lastUsedAt === null);
  const table = rows(usageColumns, usage.operations, 'It made no requests.');
  const notes = [
    `${counted(requests, 'request')} from ${from} to ${to}, for ` +
      `${counted(restaurantCount, 'restaurant')}.`,
    ...never.map(({ scope, since }) => `Has not needed ${scope} since ${since}.`),
  ];
  return { ...table, json: usage, notes };
}

function isLive({ state }: ApiClient['secrets'][number]): boolean {
  return state === 'LIVE';
}
