import type { BackOfficeRestaurant, RestaurantOverview } from '@servery/contract';
import { readPages, segment } from '../back-office.ts';
import type { Column } from '../table.ts';
import { type EditFlags, edited, editFlags, editOf, patchOf } from './edit.ts';
import { fields, rows, said } from './shown.ts';
import { type Family, flag, limitFlag, type Verb, verb } from './verb.ts';

const PATH = '/backoffice/v1/restaurants';
const restaurant = { name: '<restaurant>', says: 'its name or GUID' };

const columns: readonly Column<RestaurantOverview>[] = [
  { title: 'restaurant', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'location', cell: ({ locationName }) => locationName ?? '', breaks: true },
  { title: 'code', cell: ({ locationCode }) => locationCode ?? '' },
  { title: 'time zone', cell: ({ timeZone }) => timeZone },
  { title: 'currency', cell: ({ currencyCode }) => currencyCode },
  { title: 'archived', cell: ({ archived }) => (archived ? 'archived' : '') },
];

interface ListFlags {
  readonly group?: string;
  readonly search?: string;
  readonly archived?: boolean;
  readonly limit: number;
}

interface GeneralFlags {
  readonly name?: string;
  readonly timeZone?: string;
  readonly currency?: string;
}

interface CreateFlags extends EditFlags, GeneralFlags {
  readonly group?: string;
}

const list = verb<ListFlags>({
  name: 'list',
  says: 'the restaurants within reach, by name',
  example: 'servery restaurants list --group Wrenfield',
  isDefault: true,
  flags: [
    flag('--group <group>', 'of a management group: its name or GUID'),
    flag('--search <text>', 'with this in name, location name or code'),
    flag('--archived', 'only those that are archived'),
    limitFlag(),
  ],
  run: async ({ remote, find, flags: { group, search, archived, limit } }) => {
    const query = {
      managementGroupGuid: group === undefined ? undefined : await find.group(group),
      search,
      archived: archived ? 'true' : undefined,
    };
    const page = await readPages<RestaurantOverview>(remote, PATH, query, limit);
    return rows(columns, page, 'There is no such restaurant within reach.');
  },
});

const show = verb<object>({
  name: 'show',
  says: 'every field of a restaurant',
  example: 'servery restaurants show "The Early Wren"',
  words: [restaurant],
  run: async ({ remote, find, words: [name = ''] }) =>
    fields(await remote.get(`${PATH}/${await find.restaurant(name)}`)),
});

const generalFlags = [
  flag('--name <name>', 'what guests see'),
  flag('--time-zone <zone>', 'its IANA name, such as Europe/Rome'),
  flag('--currency <code>', 'ISO 4217, such as EUR'),
];

function generalOf({ name, timeZone, currency: currencyCode }: GeneralFlags) {
  const given = Object.entries({ name, timeZone, currencyCode });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

const create = verb<CreateFlags>({
  name: 'create',
  says: 'make a restaurant, without configuration',
  example:
    'servery restaurants create --name "The Late Wren" --group Wrenfield ' +
    '--time-zone Europe/Rome --currency EUR',
  flags: [
    flag('--group <group>', 'whose it is: name or GUID of a management group'),
    ...generalFlags,
    ...editFlags,
  ],
  run: async ({ remote, find, flags }) => {
    const { group } = flags;
    const owner = group === undefined ? {} : { managementGroupGuid: await find.group(group) };
    const body = await patchOf(flags, { general: { ...generalOf(flags), ...owner } });
    const made = await remote.post<BackOfficeRestaurant>(PATH, body);
    return said(made, `Made ${made.general.name} (${made.guid}).`, [
      `Give it a menu next: servery config apply --restaurant ${made.guid} <file>`,
    ]);
  },
});

const edit = verb<EditFlags & GeneralFlags>({
  name: 'edit',
  says: 'change fields of a restaurant; partners see it at once',
  example: 'servery restaurants edit "The Early Wren" --set general.closeoutHour=5',
  words: [restaurant],
  flags: [...generalFlags, ...editFlags],
  run: async ({ remote, find, flags, words: [text = ''] }) => {
    const general = generalOf(flags);
    const isEmpty = Object.keys(general).length === 0;
    const patch = await editOf(flags, { general: isEmpty ? undefined : general });
    return edited(remote, `${PATH}/${await find.restaurant(text)}`, patch);
  },
});

function move(name: 'archive' | 'unarchive', says: string, done: string): Verb {
  return verb<object>({
    name,
    says,
    example: `servery restaurants ${name} Nachtschwalbe`,
    words: [restaurant],
    run: async ({ remote, find, words: [text = ''] }) => {
      const path = `${PATH}/${segment(await find.restaurant(text))}/${name}`;
      const moved = await remote.post<BackOfficeRestaurant>(path);
      return said(moved, `${moved.general.name} (${moved.guid}) is ${done}.`);
    },
  });
}

/** `servery restaurants`. */
export const restaurants: Family = {
  name: 'restaurants',
  says: 'make, look at, edit and archive restaurants',
  examples: [
    'servery restaurants list --search wren',
    'servery restaurants edit "The Early Wren" --set general.closeoutHour=5',
  ],
  verbs: [
    list,
    show,
    create,
    edit,
    move('archive', 'take a restaurant out of operation', 'archived'),
    move('unarchive', 'take a restaurant into operation again', 'in operation'),
  ],
};
