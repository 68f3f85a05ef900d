import type {
  ApiClient,
  ApiClientUsage,
  IssuedApiClientSecret,
  NewApiClient,
  Scope,
} from '@servery/contract';
import { readDayOf, readGuidOf } from '../arguments.ts';
import { readPages, segment } from '../back-office.ts';
import { counted } from '../counted.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import {
  addLocally,
  createLocally,
  type LocalFlags,
  listLocally,
  localFlags,
  revokeLocally,
} from './clients-local.ts';
import { type EditFlags, edited, editFlags, editOf, knownFields } from './edit.ts';
import { fields, rows, type Shown, said, secretShown } from './shown.ts';
import { type Call, type Family, flag, limitFlag, needed, type Verb, verb } from './verb.ts';
import { instantOf } from './when.ts';

const PATH = '/backoffice/v1/clients';
const SCOPES_SHOWN = 6;
const client = { name: '<client>', says: 'its id, its name, or its name in demo.json' };

const columns: readonly Column<ApiClient>[] = [
  { title: 'client', cell: ({ clientId }) => clientId },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'type', cell: ({ type }) => type },
  { title: 'of', cell: ownerText, breaks: true },
  { title: 'scopes', cell: scopesText, breaks: true },
  { title: 'secrets', cell: ({ secrets }) => String(secrets.filter(isLive).length) },
  { title: 'last used', cell: ({ lastUsedAt }) => lastUsedAt ?? '' },
  { title: 'revoked', cell: ({ revokedAt }) => revokedAt ?? '' },
];

const operationColumns: readonly Column<ApiClientUsage['operations'][number]>[] = [
  { title: 'operation', cell: ({ operation }) => operation },
  { title: 'requests', cell: ({ requests }) => String(requests) },
  {
    title: 'answers',
    cell: ({ statuses }) => statuses.map((one) => `${one.status}: ${one.requests}`).join(', '),
    breaks: true,
  },
];

interface ListFlags {
  readonly type?: string;
  readonly partner?: string;
  readonly group?: string;
  readonly name?: string;
  readonly revoked?: boolean;
  readonly limit: number;
}

interface CreateFlags {
  readonly type: string;
  readonly name: string;
  readonly scopes: string;
  readonly description?: string;
  readonly partner?: string;
  readonly group?: string;
  readonly label?: string;
  readonly expires?: string;
}

interface SecretFlags {
  readonly label?: string;
  readonly expires?: string;
  readonly othersExpire?: string;
}

const TYPES: Readonly<Record<string, NewApiClient['type']>> = {
  partner: 'PARTNER',
  customer: 'CUSTOMER',
  'back-office': 'BACK_OFFICE',
};

const reads: readonly Verb[] = [
  verb<ListFlags & LocalFlags>({
    name: 'list',
    says: 'the API accounts within reach, newest first; no secrets',
    example: 'servery clients list --type partner',
    isDefault: true,
    flags: [
      flag('--type <type>', 'partner, customer or back-office', readType),
      flag('--partner <partner>', 'of a partner: its name or GUID'),
      flag('--group <group>', 'of a management group: its name or GUID'),
      flag('--name <text>', 'with this in their name'),
      flag('--revoked', 'those that were ended'),
      limitFlag(),
      ...localFlags(),
    ],
    local: listLocally,
    run: async ({ remote, find, flags: { type, partner, group, name, revoked, limit } }) => {
      const query = {
        type,
        name,
        partnerGuid: partner === undefined ? undefined : await find.partner(partner),
        managementGroupGuid: group === undefined ? undefined : await find.group(group),
        revoked: revoked ? 'true' : undefined,
      };
      const page = await readPages<ApiClient>(remote, PATH, query, limit);
      return rows(columns, page, 'There is no such API account within reach.');
    },
  }),
  verb<object>({
    name: 'show',
    says: 'one API account, with what may be known of its secrets',
    example: 'servery clients show partner',
    words: [client],
    run: async (call) => fields(await call.remote.get(await pathOf(call))),
  }),
  verb<{ readonly from?: string; readonly to?: string }>({
    name: 'usage',
    says: 'what an account asks for, and which scopes it never needs',
    example: 'servery clients usage partner --from 2026-01-01',
    words: [client],
    flags: [
      flag('--from <date>', 'the first day; 29 days before the last one', readDayOf('--from')),
      flag('--to <date>', 'the last day; today', readDayOf('--to')),
    ],
    run: async (call) => {
      const { from, to } = call.flags;
      return usageShown(await call.remote.get(`${await pathOf(call)}/usage`, { from, to }));
    },
  }),
];

const changes: readonly Verb[] = [
  verb<CreateFlags & LocalFlags>({
    name: 'create',
    says: 'make an API account and show its secret, once',
    example:
      'servery clients create --type partner --partner Orderwhistle --name "Till 2" --scopes all',
    flags: [
      needed('--type <type>', 'partner, customer or back-office', readType),
      needed('--name <name>', 'what people call it'),
      needed(
        '--scopes <scopes>',
        'what it may do: scopes separated by commas, or all; an operator may give any, others what ' +
          'they can do themselves or another account of the same owner has',
      ),
      flag('--description <text>', 'what it is for'),
      flag('--partner <partner>', 'whose it is, for --type partner: name or GUID'),
      flag('--group <group>', 'whose restaurants it reaches: name or GUID; all without it'),
      flag('--label <text>', 'what the secret is called'),
      flag('--expires <when>', 'when the secret ends: 90d, or ISO 8601'),
      ...localFlags(),
    ],
    local: createLocally,
    run: create,
  }),
  verb<EditFlags & { readonly name?: string; readonly scopes?: string }>({
    name: 'edit',
    says: 'change an account; scopes are in force at its next request',
    example: 'servery clients edit readOnly --scopes stock:read,config:read',
    words: [client],
    flags: [
      flag('--name <name>', 'what people call it'),
      flag(
        '--scopes <scopes>',
        'all that it may do, separated by commas; who may add one: see servery clients create',
      ),
      ...editFlags,
    ],
    run: async (call) => {
      const { name, scopes } = call.flags;
      const listed = scopes?.split(',').map((scope) => scope.trim());
      const edit = await editOf(call.flags, { name, scopes: listed });
      const patch = await knownFields('ApiClientEdit', edit);
      return edited(call.remote, await pathOf(call), patch);
    },
  }),
  verb<SecretFlags & LocalFlags>({
    name: 'secrets add',
    says: 'make one more secret and show it, once',
    example: 'servery clients secrets add "Till 2"',
    words: [client],
    flags: [
      flag('--label <text>', 'what it is called'),
      flag('--expires <when>', 'when it ends: 90d, or ISO 8601'),
      flag('--others-expire <when>', 'when those that live now end: the overlap'),
      ...localFlags(),
    ],
    local: addLocally,
    run: addSecret,
  }),
  verb<object>({
    name: 'secrets revoke',
    says: 'end one secret and its tokens, at once',
    example: 'servery clients secrets revoke "Till 2" 0192…',
    words: [
      client,
      {
        name: '<secret>',
        says: 'its GUID: see servery clients show',
        read: readGuidOf('secret', 'servery clients show'),
      },
    ],
    run: async (call) => {
      const path = `${await pathOf(call)}/secrets/${call.words[1]}/revoke`;
      const account = await call.remote.post<ApiClient>(path);
      const count = account.secrets.filter(isLive).length;
      return said(
        account,
        `The secret and its tokens are revoked. ${account.name} has ` +
          `${counted(count, 'live secret')} left.`,
      );
    },
  }),
  verb<object>({
    name: 'revoke',
    says: 'end an account with all its secrets and tokens, for good',
    example: 'servery clients revoke "Till 2"',
    words: [client],
    flags: localFlags(),
    local: revokeLocally,
    run: async (call) => {
      const ended = await call.remote.post<ApiClient>(`${await pathOf(call)}/revoke`);
      return said(
        ended,
        `${ended.name} (${ended.clientId}) is revoked: none of its secrets and tokens is ` +
          'accepted any more.',
      );
    },
  }),
];

/** `servery clients`. */
export const clients: Family = {
  name: 'clients',
  says: 'make, look at, edit and end API accounts and their secrets',
  parts: { secrets: 'add and end secrets of an account' },
  examples: [
    'servery clients create --type back-office --name Orders --scopes all --group Wrenfield',
    'servery clients secrets add Orders --others-expire 7d',
    'servery clients create --local --type back-office --name Operator --scopes all',
  ],
  verbs: [...reads, ...changes],
};

async function pathOf({ find, words: [text = ''] }: Call<object>): Promise<string> {
  return `${PATH}/${segment(await find.client(text))}`;
}

async function create({ remote, find, flags }: Call<CreateFlags>): Promise<Shown> {
  const { name, description, partner, group, label, expires } = flags;
  const type = flags.type as NewApiClient['type'];
  const body: NewApiClient = {
    name,
    type,
    scopes: await scopesOf(flags),
    ...(description === undefined ? {} : { description }),
    ...(partner === undefined ? {} : { partnerGuid: await find.partner(partner) }),
    ...(group === undefined ? {} : { managementGroupGuid: await find.group(group) }),
    secret: {
      ...(label === undefined ? {} : { label }),
      ...(expires === undefined
        ? {}
        : { expiresAt: await instantOf('--expires', expires, remote) }),
    },
  };
  const issued = await remote.post<IssuedApiClientSecret>(PATH, body);
  const { clientId } = issued.client;
  return secretShown(issued, `Made ${issued.client.name}.`, clientId);
}

/** `all` is every scope that an account of the type can have at its place. */
async function scopesOf({ type, scopes, group }: CreateFlags): Promise<Scope[]> {
  if (scopes !== 'all') return scopes.split(',').map((scope) => scope.trim() as Scope);
  const { scopesFor } = await import('@servery/contract');
  // Metrics count what happens in all groups.
  return scopesFor(type as NewApiClient['type']).filter(
    (scope) => group === undefined || scope !== 'metrics:read',
  );
}

async function addSecret(call: Call<SecretFlags>): Promise<Shown> {
  const { label, expires, othersExpire } = call.flags;
  const instant = async (name: string, text: string | undefined) =>
    text === undefined ? undefined : instantOf(name, text, call.remote);
  const body = {
    label,
    expiresAt: await instant('--expires', expires),
    othersExpireAt: await instant('--others-expire', othersExpire),
  };
  const path = `${await pathOf(call)}/secrets`;
  const issued = await call.remote.post<IssuedApiClientSecret>(path, body);
  const others =
    othersExpire === undefined
      ? 'those it had go on'
      : `those it had end at ${body.othersExpireAt} at the latest`;
  const said = `${issued.client.name} has one more secret; ${others}.`;
  return secretShown(issued, said, issued.client.clientId);
}

function usageShown(usage: ApiClientUsage): Shown {
  const { from, to, requests, restaurantCount } = usage;
  const never = usage.scopes.filter(({ lastUsedAt }) => lastUsedAt === null);
  const empty = 'It asked for nothing.';
  const table = rows(operationColumns, { results: usage.operations, hasMore: false }, empty);
  const notes = [
    `${counted(requests, 'request')} from ${from} to ${to}, about ` +
      `${counted(restaurantCount, 'restaurant')}.`,
  ];
  for (const { scope, since } of never) notes.push(`Never needed ${scope} since ${since}.`);
  return { ...table, json: usage, notes };
}

function readType(text: string): string {
  const type = TYPES[text.toLowerCase().replaceAll('_', '-')];
  if (type) return type;
  throw invalidUsage(
    `--type ${JSON.stringify(text)} is none: write partner, customer or back-office.`,
  );
}

function isLive({ state }: ApiClient['secrets'][number]): boolean {
  return state === 'LIVE';
}

/** An operator has more scopes than a table shows. */
function scopesText({ scopes }: ApiClient): string {
  return scopes.length > SCOPES_SHOWN ? `${scopes.length} scopes` : scopes.join(' ');
}

function ownerText({ type, partner, managementGroup }: ApiClient): string {
  return partner?.name ?? managementGroup?.name ?? (type === 'BACK_OFFICE' ? 'the platform' : '');
}
