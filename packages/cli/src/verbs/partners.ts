import type { Connection, Partner, PartnerEventPage } from '@servery/contract';
import { readPositionOf } from '../arguments.ts';
import { readPages, segment } from '../back-office.ts';
import type { Column } from '../table.ts';
import { type EditFlags, edited, editFlags, editOf, knownFields } from './edit.ts';
import { fields, rows, said } from './shown.ts';
import { type Family, flag, limitFlag, needed, verb } from './verb.ts';

const PATH = '/backoffice/v1/partners';
const partner = { name: '<partner>', says: 'its name or GUID' };

const columns: readonly Column<Partner>[] = [
  { title: 'partner', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'what it does', cell: ({ description }) => description ?? '', breaks: true },
  { title: 'created', cell: ({ createdAt }) => createdAt },
];

const connectionColumns: readonly Column<Connection>[] = [
  { title: 'restaurant', cell: ({ restaurantGuid }) => restaurantGuid },
  { title: 'name', cell: ({ restaurantName }) => restaurantName, breaks: true },
  { title: 'state', cell: ({ state }) => state },
  { title: 'since', cell: ({ createdAt, disconnectedAt }) => disconnectedAt ?? createdAt },
  { title: 'reason', cell: ({ disconnectReason }) => disconnectReason ?? '', breaks: true },
];

const eventColumns: readonly Column<PartnerEventPage['results'][number]>[] = [
  { title: 'position', cell: ({ position }) => String(position) },
  { title: 'at', cell: ({ event }) => event.timestamp },
  { title: 'what', cell: ({ event }) => event.eventType },
  { title: 'restaurant', cell: ({ event }) => event.details.restaurantGuid },
  { title: 'name', cell: ({ event }) => event.details.restaurantName, breaks: true },
  { title: 'group ref', cell: ({ event }) => event.details.externalGroupRef ?? '' },
  { title: 'restaurant ref', cell: ({ event }) => event.details.externalRestaurantRef ?? '' },
];

/** `servery partners`. */
export const partners: Family = {
  name: 'partners',
  says: 'make, look at and edit partner services',
  examples: ['servery partners create --name Courier --description "Delivers food."'],
  verbs: [
    verb<{ readonly name?: string; readonly limit: number }>({
      name: 'list',
      says: 'the partners within reach, by name',
      example: 'servery partners list --name whistle',
      isDefault: true,
      flags: [flag('--name <text>', 'with this in their name'), limitFlag()],
      run: async ({ remote, flags: { name, limit } }) =>
        rows(
          columns,
          await readPages<Partner>(remote, PATH, { name }, limit),
          'There is no such partner within reach.',
        ),
    }),
    verb<object>({
      name: 'show',
      says: 'one partner',
      example: 'servery partners show Orderwhistle',
      words: [partner],
      run: async ({ remote, find, words: [text = ''] }) =>
        fields(await remote.get(`${PATH}/${await find.partner(text)}`)),
    }),
    verb<{ readonly name: string; readonly description?: string }>({
      name: 'create',
      says: 'add a partner, which every restaurant can connect to',
      example: 'servery partners create --name Courier',
      flags: [
        needed('--name <name>', 'what people call it'),
        flag('--description <text>', 'what it does'),
      ],
      run: async ({ remote, flags: { name, description } }) => {
        const made = await remote.post<Partner>(PATH, { name, description });
        return said(made, `Made ${made.name} (${made.guid}).`, [
          `Make an account for it: servery clients create --type partner --partner ${made.guid} …`,
        ]);
      },
    }),
    verb<EditFlags & { readonly name?: string; readonly description?: string }>({
      name: 'edit',
      says: 'change a partner',
      example: 'servery partners edit Orderwhistle --set description="Takes orders."',
      words: [partner],
      flags: [
        flag('--name <name>', 'what people call it'),
        flag('--description <text>', 'what it does'),
        ...editFlags,
      ],
      run: async ({ remote, find, flags, words: [text = ''] }) => {
        const { name, description } = flags;
        const patch = await knownFields('PartnerEdit', await editOf(flags, { name, description }));
        return edited(remote, `${PATH}/${await find.partner(text)}`, patch);
      },
    }),
    verb<{ readonly limit: number }>({
      name: 'connections',
      says: 'the restaurants that a partner is or was connected to',
      example: 'servery partners connections Orderwhistle',
      words: [partner],
      flags: [limitFlag()],
      run: async ({ remote, find, flags: { limit }, words: [text = ''] }) => {
        const path = `${PATH}/${await find.partner(text)}/connections`;
        const page = await readPages<Connection>(remote, path, {}, limit);
        return rows(connectionColumns, page, 'The partner was never connected within reach.');
      },
    }),
    verb<{ readonly after?: string }>({
      name: 'events',
      says: 'what happened to the connections of a partner',
      example: 'servery partners events Orderwhistle --after 2',
      words: [partner],
      flags: [flag('--after <position>', 'only what came after', readPositionOf('--after'))],
      run: async ({ remote, find, flags: { after }, words: [text = ''] }) => {
        const path = `${PATH}/${segment(await find.partner(text))}/events`;
        const page = await remote.get<PartnerEventPage>(path, { after });
        const listed = { results: page.results, hasMore: false };
        return { ...rows(eventColumns, listed, 'Nothing happened since.'), json: page };
      },
    }),
  ],
};
