import type {
  ConnectablePartner,
  Connection,
  ConnectionChange,
  ConnectionEdit,
  NewConnection,
} from '@servery/contract';
import { wordsOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import { edited, nullIfRefused } from './edit.ts';
import { ACTORS, namesOf } from './names.ts';
import { type Kind, listedAt, oneOf } from './one-of.ts';
import { fields, rows, said } from './shown.ts';
import { type Call, type Family, flag, limitFlag, needed, verb } from './verb.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

interface ReferenceFlags extends PlaceFlags {
  readonly groupRef?: string;
  readonly restaurantRef?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
}

const PARTNER: Kind = {
  one: 'partner',
  several: 'partners',
  listed: 'servery connections partners',
};
const partner = { name: '<partner>', says: 'its name or GUID' };
const restaurant = flag('--restaurant <restaurant>', 'name or GUID; the first of the sandbox');
const employee = [
  flag('--first-name <name>', 'of the employee who wants it; the partner is told'),
  flag('--last-name <name>', 'of the same'),
  flag('--email <address>', 'of the same'),
  flag('--phone <number>', 'of the same'),
];
const references = [
  flag('--group-ref <text>', 'what the partner calls the group; "" for nothing'),
  flag('--restaurant-ref <text>', 'what the partner calls the location; "" for nothing'),
];

const columns: readonly Column<Connection>[] = [
  { title: 'partner', cell: ({ partnerGuid }) => partnerGuid },
  { title: 'name', cell: ({ partnerName }) => partnerName, breaks: true },
  { title: 'state', cell: ({ state }) => state },
  { title: 'group ref', cell: ({ externalGroupRef }) => externalGroupRef ?? '' },
  { title: 'restaurant ref', cell: ({ externalRestaurantRef }) => externalRestaurantRef ?? '' },
  { title: 'since', cell: ({ createdAt, disconnectedAt }) => disconnectedAt ?? createdAt },
  { title: 'reason', cell: ({ disconnectReason }) => disconnectReason ?? '', breaks: true },
];

const partnerColumns: readonly Column<ConnectablePartner>[] = [
  { title: 'partner', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'what it does', cell: ({ description }) => description ?? '', breaks: true },
  { title: 'connected', cell: ({ isConnected }) => (isConnected ? 'connected' : '') },
];

const changeColumns: readonly Column<ConnectionChange>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'what', cell: ({ kind }) => kind },
  { title: 'by', cell: ({ by }) => by },
  { title: 'employee', cell: employeeText, breaks: true },
  { title: 'group ref', cell: ({ externalGroupRef }) => externalGroupRef ?? '' },
  { title: 'restaurant ref', cell: ({ externalRestaurantRef }) => externalRestaurantRef ?? '' },
  { title: 'reason', cell: ({ reason }) => reason ?? '', breaks: true },
];

/** `servery connections`. */
export const connections: Family = {
  name: 'connections',
  says: 'connect a restaurant with partners, and end that',
  examples: [
    'servery connections connect Pedalcrate --restaurant "The Early Wren"',
    'servery connections disconnect Pedalcrate --reason "contract ended"',
  ],
  verbs: [
    verb<PlaceFlags & { readonly limit: number }>({
      name: 'list',
      says: 'the partners that a restaurant is or was connected to',
      example: 'servery connections list --restaurant "The Early Wren"',
      isDefault: true,
      flags: [restaurant, limitFlag()],
      run: async (call) => {
        const path = `${await placeOf(call)}/connections`;
        const page = await readPages<Connection>(call.remote, path, {}, call.flags.limit);
        return rows(columns, page, 'The restaurant was never connected to a partner.');
      },
    }),
    verb<PlaceFlags & { readonly limit: number }>({
      name: 'partners',
      says: 'every partner to connect with',
      example: 'servery connections partners',
      flags: [restaurant, limitFlag()],
      run: async (call) => {
        const path = `${await placeOf(call)}/partners`;
        const page = await readPages<ConnectablePartner>(call.remote, path, {}, call.flags.limit);
        return rows(partnerColumns, page, 'There is no partner yet.');
      },
    }),
    verb<PlaceFlags>({
      name: 'show',
      says: 'one connection',
      example: 'servery connections show Orderwhistle',
      words: [partner],
      flags: [restaurant],
      run: async (call) => fields(await call.remote.get(await pathOf(call))),
    }),
    verb<ReferenceFlags>({
      name: 'connect',
      says: 'give a partner access to the restaurant, at once',
      example: 'servery connections connect Pedalcrate --restaurant-ref STORE-7',
      words: [partner],
      flags: [restaurant, ...references, ...employee],
      run: async (call) => {
        const place = await placeOf(call);
        const partnerGuid = await partnerOf(call, place);
        const body: NewConnection = { partnerGuid, ...editsOf(call.flags) };
        const made = await call.remote.post<Connection>(`${place}/connections`, body);
        return said(made, `${made.restaurantName} is connected to ${made.partnerName}.`);
      },
    }),
    verb<ReferenceFlags>({
      name: 'edit',
      says: 'change what the partner calls the group and the location',
      example: 'servery connections edit Orderwhistle --restaurant-ref STORE-8',
      words: [partner],
      flags: [restaurant, ...references, ...employee],
      run: async (call) => {
        const edits = editsOf(call.flags);
        if (call.flags.groupRef === undefined && call.flags.restaurantRef === undefined) {
          throw invalidUsage('what is to change? Say --group-ref or --restaurant-ref.');
        }
        return edited(call.remote, await pathOf(call), edits);
      },
    }),
    verb<ReferenceFlags & { readonly reason: string }>({
      name: 'disconnect',
      says: 'take the access of a partner away, at once',
      example: 'servery connections disconnect Pedalcrate --reason "contract ended"',
      words: [partner],
      flags: [
        restaurant,
        needed('--reason <text>', 'for whoever reads it later', wordsOf('--reason')),
        ...employee,
      ],
      run: async (call) => {
        const { reason } = call.flags;
        const { employee: who } = editsOf(call.flags);
        const body = { reason, ...(who ? { employee: who } : {}) };
        const path = await pathOf(call);
        const before = await call.remote.get<Connection>(path).catch(nullIfRefused);
        const ended = await call.remote.post<Connection>(`${path}/disconnect`, body);
        const { restaurantName, partnerName, disconnectReason } = ended;
        return said(
          ended,
          before?.state === 'DISCONNECTED'
            ? `${restaurantName} was not connected to ${partnerName} already: nothing was ` +
                `changed, and the reason stays ${JSON.stringify(disconnectReason)}.`
            : `${restaurantName} is not connected to ${partnerName} any more.`,
        );
      },
    }),
    verb<PlaceFlags & { readonly limit: number }>({
      name: 'timeline',
      says: 'every change of a connection, newest first',
      example: 'servery connections timeline Orderwhistle',
      words: [partner],
      flags: [restaurant, limitFlag()],
      run: async (call) => {
        const path = `${await pathOf(call)}/timeline`;
        const page = await readPages<ConnectionChange>(call.remote, path, {}, call.flags.limit);
        const by = page.results.map((change) => change.by);
        const nameOf = await namesOf(call, by, ACTORS);
        const results = page.results.map((change) => ({ ...change, by: nameOf(change.by) }));
        const empty = 'Nothing happened to the connection.';
        return { ...rows(changeColumns, { ...page, results }, empty), json: page.results };
      },
    }),
  ],
};

async function placeOf({ find, flags }: Call<PlaceFlags>): Promise<string> {
  return `/backoffice/v1/restaurants/${await find.restaurantOr(flags.restaurant)}`;
}

async function pathOf(call: Call<PlaceFlags>): Promise<string> {
  const place = await placeOf(call);
  return `${place}/connections/${await partnerOf(call, place)}`;
}

/** Whoever may connect a restaurant may list the partners to connect with, if no others. */
async function partnerOf(
  { remote, words: [text = ''] }: Call<PlaceFlags>,
  place: string,
): Promise<string> {
  return await oneOf(PARTNER, text, (name) =>
    listedAt<ConnectablePartner>(remote, `${place}/partners`, { name }),
  );
}

function editsOf(flags: ReferenceFlags): ConnectionEdit {
  const { groupRef, restaurantRef, firstName, lastName, email, phone } = flags;
  const who = Object.entries({ firstName, lastName, email, phone }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...(groupRef === undefined ? {} : { externalGroupRef: groupRef || null }),
    ...(restaurantRef === undefined ? {} : { externalRestaurantRef: restaurantRef || null }),
    ...(who.length === 0 ? {} : { employee: Object.fromEntries(who) }),
  };
}

function employeeText({ employee: { firstName, lastName, email } }: ConnectionChange): string {
  return [firstName, lastName, email].filter((part) => part !== null).join(' ');
}
