import { accountTypeOf, type Client, Refused } from '@servery/client/back-office';
import type { WhoAmI, WhoAmIGrant } from '@servery/contract';
import {
  type AnyCommand,
  type Call,
  command,
  type Flags,
  type Session,
  type Values,
} from '../command.ts';
import { platformUrl, readKnown } from '../connection.ts';
import { endsWith, invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
import { findRestaurant, oneOf, RESTAURANT } from '../find/find.ts';
import { needsAccount, withSession } from '../session.ts';
import { type Columns, counted, rows, type Shown } from '../shown.ts';
import { printable } from '../terminal.ts';
import { restaurantNames, text, toggle } from '../values.ts';
import { operationIds, refuseTypo } from './requests.ts';

const options = {
  operation: {
    ...text(
      '<id>',
      'a call to check, for example stock.update; exit code 3 if it would be refused',
    ),
    completions: operationIds,
  },
  restaurant: {
    ...text('<restaurant>', 'restaurant of that call: name or GUID'),
    completions: restaurantNames,
  },
  tokenFile: text('<file>', 'use the access token in a file; - for standard input'),
};

interface HeldLine {
  readonly where: string;
  readonly scope: string;
  readonly allows: string;
}

const columns: Columns<HeldLine> = { where: 'where', scope: 'scope', 'what it allows': 'allows' };
const FORBIDDEN = 403;
const RESTAURANTS_SHOWN = 10;

/** `servery whoami` and `servery token`. */
export const identityCommands: readonly AnyCommand[] = [
  command({
    name: 'whoami',
    summary: 'Show who you are, what you can do, and why a call would be refused',
    examples: [
      'servery whoami',
      'servery whoami --client-id readOnly --operation stock.update --restaurant "Early Wren"',
    ],
    options,
    check: async ({ options: { operation, restaurant } }) => {
      if (restaurant !== undefined && operation === undefined) {
        throw invalidUsage('--restaurant needs --operation: the call that you ask about.');
      }
      if (operation !== undefined) await refuseTypo(operation);
    },
    local: async (given) => {
      const { call, flags } = await withToken(given);
      const labels = new Map([['restaurantGuid', '--restaurant']]);
      return await withSession(call, flags, { role: 'operator', labels }, async (session) => {
        const me = await ask(session, given.options);
        const failure = me.call?.refusal ? { failure: endsWith('refused') } : {};
        return { ...shown(session.client, me), ...failure };
      });
    },
  }),
  command({
    name: 'token',
    summary: 'Log in and print an access token, for curl',
    examples: ['curl -H "$(servery token --header)" "$SERVERY_URL/…"'],
    options: { header: toggle('print the whole header') },
    run: async ({ client, person, options: { header } }) => {
      if (person) throw needsAccount(person.email);
      const { access_token: accessToken } = await client.token();
      const line = header ? `Authorization: Bearer ${accessToken}` : accessToken;
      return { json: { accessToken, baseUrl: client.baseUrl }, text: () => `${line}\n` };
    },
  }),
];

/** With a token of a file, flags name only the platform. */
async function withToken<Options extends typeof options>(
  call: Call<Values, Options>,
): Promise<{ call: Call<Values, Options>; flags: Flags }> {
  const { env, flags } = call;
  const { tokenFile } = call.options as { readonly tokenFile?: string };
  if (tokenFile === undefined) return { call, flags };
  const content = (await readBytes(tokenFile)).toString();
  const token = content.trim().replace(/^(authorization:\s*)?bearer\s+/i, '');
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalidUsage(`${tokenFile} has no access token.`);
  const { clientId: _client, profile: _profile, sandbox: _sandbox, ...rest } = flags;
  const url = platformUrl(env, flags, await readKnown(env, flags));
  const own = { ...env, SERVERY_TOKEN: token, SERVERY_SANDBOX: '' };
  return { call: { ...call, env: own }, flags: { ...rest, url } };
}

type Asked = Readonly<Record<'operation' | 'restaurant', string | undefined>>;

/**
 * Asks the interface of the account: a refusal by the other one would be logged. When the token does
 * not say what it is, both are tried.
 */
async function ask(session: Session, asked: Asked): Promise<WhoAmI> {
  const type = await accountTypeOf(session.client);
  const isOfPartner = type === 'PARTNER' || type === 'CUSTOMER';
  const [first, second] = isOfPartner ? [atPartners, atBackOffice] : [atBackOffice, atPartners];
  try {
    return await first(session, asked);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== FORBIDDEN) throw error;
    return await second(session, asked);
  }
}

async function atBackOffice(session: Session, { operation, restaurant }: Asked): Promise<WhoAmI> {
  const restaurantGuid = restaurant && (await findRestaurant(restaurant, session));
  return await session.client.call('backOffice.whoami', { query: { operation, restaurantGuid } });
}

/** A partner names restaurants that it reaches, and the others of the sandbox. */
async function atPartners(
  { client, demo }: Session,
  { operation, restaurant }: Asked,
): Promise<WhoAmI> {
  const restaurantGuid =
    restaurant &&
    (await oneOf({ ...RESTAURANT, listed: 'servery whoami' }, restaurant, async () => {
      const { restaurants } = await client.call('platform.whoami');
      const reached = new Set(restaurants.map(({ guid }) => guid));
      return [
        ...restaurants,
        ...(demo?.restaurants.filter(({ guid }) => !reached.has(guid)) ?? []),
      ];
    }));
  return await client.call('platform.whoami', { query: { operation, restaurantGuid } });
}

function shown(client: Client, me: WhoAmI): Shown {
  const { type, id, name, email, restaurants, hasMoreRestaurants } = me;
  const first = restaurants.slice(0, RESTAURANTS_SHOWN).map((one) => `  ${one.guid}  ${one.name}`);
  const more = restaurants.length - first.length;
  const over = hasMoreRestaurants ? 'more than ' : '';
  const lines = [
    `${name}${email === null ? '' : ` <${email}>`} at ${client.baseUrl}`,
    `${type} ${id}`,
    `reaches ${over}${counted(restaurants.length, 'restaurant')}`,
    ...first,
    ...(more > 0 ? [`  and ${over}${more} more`] : []),
  ];
  const held = me.grants.flatMap((grant) =>
    grant.scopes.map((scope, at) => ({ where: at === 0 ? placeText(grant) : '', ...scope })),
  );
  const table = rows(columns, held, 'You have no scopes, so you can do nothing.');
  const call = me.call ? `\n${printable(callText(me.call))}\n` : '';
  return {
    ...table,
    json: me,
    text: (look) => `${printable(lines.join('\n'))}\n\n${table.text(look)}${call}`,
  };
}

function callText({ operation, method, path, refusal }: NonNullable<WhoAmI['call']>): string {
  const what = `${operation} (${method} ${path})`;
  return refusal
    ? `${what} would be refused with ${refusal.status}: ${refusal.message}`
    : `${what} would be allowed: account, restaurant, and scope are right.`;
}

function placeText({ place, name, guid }: WhoAmIGrant): string {
  return place === 'platform' ? 'the whole platform' : `${place} ${name ?? guid}`;
}
