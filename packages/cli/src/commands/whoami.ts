import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { WhoAmI, WhoAmIGrant } from '@servery/contract';
import { PlatformRefusal, type Remote } from '../back-office.ts';
import { platformUrl, readKnown } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import {
  openSession,
  type RemoteDeps,
  type RemoteFlags,
  type Session,
  showJson,
  showTable,
} from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';
import { didYouMean } from '../verbs/did-you-mean.ts';
import { finderOn, restaurantAmong } from '../verbs/finder.ts';

/** The options of `servery whoami`. */
export interface WhoAmIFlags extends RemoteFlags {
  readonly operation?: string;
  /** Name or GUID. */
  readonly restaurant?: string;
  readonly tokenFile?: string;
}

interface HeldLine {
  readonly where: string;
  readonly scope: string;
  readonly allows: string;
}

const columns: readonly Column<HeldLine>[] = [
  { title: 'where', cell: ({ where }) => where, breaks: true },
  { title: 'scope', cell: ({ scope }) => scope },
  { title: 'what it allows', cell: ({ allows }) => allows, breaks: true },
];

const FORBIDDEN = 403;
const RESTAURANTS_SHOWN = 10;

/**
 * `servery whoami`: who the access token is to the platform and what it may do; with `--operation`
 * also whether a call would be refused, which is the exit code 3. Throws CommandFailure.
 */
export async function runWhoAmI(given: RemoteDeps, flags: WhoAmIFlags): Promise<void> {
  if (flags.restaurant !== undefined && flags.operation === undefined) {
    throw invalidUsage('--restaurant goes with --operation: say what is to be done there.');
  }
  if (flags.operation !== undefined) await refuseTypo(flags.operation);
  const deps = await withTokenOf(given, flags);
  const session = await openSession(deps, await withoutAccount(deps, flags));
  const me = await ask(session, flags);
  if (flags.json) showJson(deps, me);
  else show(deps, session.remote, me);
  if (me.call?.refusal) throw new CommandFailure('', exitCodes.refused);
}

/** An operation that is not known here, and near to none, may be one of another version. */
async function refuseTypo(operation: string): Promise<void> {
  const { operations } = await import('@servery/contract');
  const ids = operations.map(({ id }) => id);
  const meant = ids.some((id) => id === operation) ? '' : didYouMean(operation, ids);
  if (meant === '') return;
  throw invalidUsage(`--operation ${JSON.stringify(operation)} is no operation${meant}`);
}

/** The same with the token of the file in place of an account. */
async function withTokenOf(deps: RemoteDeps, { tokenFile }: WhoAmIFlags): Promise<RemoteDeps> {
  if (tokenFile === undefined) return deps;
  const content = await (tokenFile === '-'
    ? text(process.stdin)
    : readFile(tokenFile, 'utf8')
  ).catch((error: unknown) => {
    throw fileFailure(tokenFile, 'read', error);
  });
  const token = content.trim().replace(/^(authorization:\s*)?bearer\s+/i, '');
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalidUsage(`${tokenFile} holds no access token.`);
  return { ...deps, env: { ...deps.env, SERVERY_TOKEN: token } };
}

/** A token of a file is sent to the platform that the flags name, in place of their account. */
async function withoutAccount({ env }: RemoteDeps, flags: WhoAmIFlags): Promise<WhoAmIFlags> {
  if (flags.tokenFile === undefined) return flags;
  const { clientId: _client, profile: _profile, ...rest } = flags;
  return { ...rest, url: platformUrl(env, flags, await readKnown(env, flags)) };
}

type Door = (session: Session, flags: WhoAmIFlags) => Promise<WhoAmI>;

/**
 * At the door that is for the account: each refusal at the other one would be a denial in the log
 * of requests and in the metrics. Where its token does not say what it is, both are tried.
 */
async function ask(session: Session, flags: WhoAmIFlags): Promise<WhoAmI> {
  const type = await session.remote.accountType();
  const isOfPartner = type === 'PARTNER' || type === 'CUSTOMER';
  const [first, second] = isOfPartner ? [atPartners, atBackOffice] : [atBackOffice, atPartners];
  try {
    return await first(session, flags);
  } catch (error) {
    if (!(error instanceof PlatformRefusal) || error.status !== FORBIDDEN) throw error;
    return await second(session, flags);
  }
}

const atBackOffice: Door = async ({ remote, demo }, { operation, restaurant }) => {
  const find = finderOn(remote, demo);
  const restaurantGuid = restaurant === undefined ? undefined : await find.restaurant(restaurant);
  return await remote.get<WhoAmI>('/backoffice/v1/whoami', { operation, restaurantGuid });
};

const atPartners: Door = async ({ remote, demo }, { operation, restaurant }) => {
  const path = '/platform/v1/whoami';
  if (restaurant === undefined) return await remote.get<WhoAmI>(path, { operation });
  const restaurantGuid = await guidOf(remote, demo, restaurant);
  return await remote.get<WhoAmI>(path, { operation, restaurantGuid });
};

/** By name among those that the partner reaches, and the others of the sandbox. */
async function guidOf(remote: Remote, demo: Session['demo'], nameOrGuid: string): Promise<string> {
  const { restaurants } = await remote.get<WhoAmI>('/platform/v1/whoami');
  const reached = new Set(restaurants.map(({ guid }) => guid));
  const others = demo?.restaurants.filter(({ guid }) => !reached.has(guid)) ?? [];
  return restaurantAmong(nameOrGuid, [...restaurants, ...others], 'servery whoami');
}

function show(deps: RemoteDeps, remote: Remote, me: WhoAmI): void {
  const { type, id, name, email, restaurants, restaurantCount } = me;
  const shown = restaurants.slice(0, RESTAURANTS_SHOWN).map((one) => `  ${one.guid}  ${one.name}`);
  const more = restaurantCount - shown.length;
  const lines = [
    `${name}${email === null ? '' : ` <${email}>`} at ${remote.baseUrl}`,
    `${type} ${id}`,
    `reaches ${restaurantCount} restaurant${restaurantCount === 1 ? '' : 's'}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  deps.terminal.out.write(`${printable(lines.join('\n'))}\n\n`);
  const held = me.grants.flatMap((grant) =>
    grant.scopes.map((scope, at) => ({ where: at === 0 ? placeText(grant) : '', ...scope })),
  );
  showTable(deps, columns, held, 'It may do nothing: it holds no scope.');
  if (me.call) deps.terminal.out.write(`\n${printable(callText(me.call))}\n`);
}

function callText({ operation, method, path, refusal }: NonNullable<WhoAmI['call']>): string {
  const what = `${operation} (${method} ${path})`;
  return refusal
    ? `${what} would be refused with ${refusal.status}: ${refusal.message}`
    : `${what} would be let in: account, restaurant and scope are right.`;
}

function placeText({ place, name, guid }: WhoAmIGrant): string {
  return place === 'platform' ? 'the whole platform' : `${place} ${name ?? guid}`;
}
