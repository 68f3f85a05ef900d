import type { RestaurantOverview } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { editOf, editOptions, edits, type Fields, needsFields, patchOf } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { kebab } from '../run.ts';
import { type Columns, said } from '../shown.ts';
import { as, group, limit, text, the, toggle } from '../values.ts';

const columns: Columns<RestaurantOverview> = {
  restaurant: 'guid',
  name: 'name',
  location: 'locationName',
  code: 'locationCode',
  'time zone': 'timeZone',
  currency: 'currencyCode',
  archived: 'archived',
};

const general = {
  name: as('general.name', text('<name>', 'name that guests see')),
  timeZone: as('general.timeZone', text('<zone>', 'IANA time zone, for example Europe/Rome')),
  currency: as('general.currencyCode', text('<code>', 'ISO 4217 currency, for example EUR')),
};

type Needed = 'name' | 'group' | 'timeZone' | 'currency';
/** What a new restaurant cannot do without: fields of `general` by their options. */
export const neededFields: Readonly<Record<Needed, string>> = {
  name: 'name',
  group: 'managementGroupGuid',
  timeZone: 'timeZone',
  currency: 'currencyCode',
};

export const restaurants: Family = {
  name: 'restaurants',
  summary: 'Create, view, edit, and archive restaurants',
  examples: [
    'servery restaurants list --search wren',
    'servery restaurants edit "The Early Wren" --set general.closeoutHour=5',
  ],
  commands: [
    command({
      name: 'list',
      summary: 'List restaurants by name',
      examples: ['servery restaurants list --group Wrenfield'],
      isDefault: true,
      options: {
        group: group(text('<group>', 'management group: name or GUID')),
        search: text('<text>', 'name, location name, or code contains this text'),
        archived: toggle('only archived restaurants'),
        limit,
      },
      operation: 'backOffice.restaurants.list',
      pages: { columns, empty: 'No restaurant matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show every field of a restaurant',
      examples: ['servery restaurants show "The Early Wren"'],
      arguments: { restaurant: the.restaurant },
      operation: 'backOffice.restaurants.get',
    }),
    command({
      name: 'create',
      summary: 'Create a restaurant without a configuration',
      examples: [
        'servery restaurants create --name "The Late Wren" --group Wrenfield ' +
          '--time-zone Europe/Rome --currency EUR',
      ],
      options: {
        group: as(
          'general.managementGroupGuid',
          group(text('<group>', 'its management group: name or GUID')),
        ),
        ...general,
        ...editOptions,
      },
      check: ({ options }) => {
        const { general: given = {} } = patchOf(options) as { readonly general?: Fields };
        const missing = Object.entries(neededFields)
          .filter(([name, field]) => (options[name as Needed] ?? given?.[field]) === undefined)
          .map(([name]) => `--${kebab(name)}`);
        if (missing.length === 0) return;
        throw invalidUsage(
          `a new restaurant needs ${missing.join(', ')}. --set and --file take their fields too.`,
        );
      },
      operation: 'backOffice.restaurants.create',
      run: async (call) => {
        const made = await call.ask({ body: editOf(call) });
        return said(made, `Created ${made.general.name} (${made.guid}).`, [
          `Next, give it a menu: servery config apply --restaurant ${made.guid} <file>`,
        ]);
      },
    }),
    command({
      name: 'edit',
      summary: 'Edit a restaurant; partners see the change at once',
      examples: [
        'servery restaurants edit "The Early Wren" --set general.closeoutHour=5',
        'servery restaurants edit "The Early Wren" --set orders.approval=manual',
      ],
      arguments: { restaurant: the.restaurant },
      options: { ...general, ...editOptions },
      check: needsFields(),
      operation: 'backOffice.restaurants.update',
      run: edits('backOffice.restaurants.get'),
    }),
    command({
      name: 'archive',
      summary: 'Archive a restaurant',
      examples: ['servery restaurants archive Nachtschwalbe'],
      arguments: { restaurant: the.restaurant },
      operation: 'backOffice.restaurants.archive',
      show: (moved) => said(moved, `${moved.general.name} (${moved.guid}) is archived.`),
    }),
    command({
      name: 'unarchive',
      summary: 'Unarchive a restaurant',
      examples: ['servery restaurants unarchive Nachtschwalbe'],
      arguments: { restaurant: the.restaurant },
      operation: 'backOffice.restaurants.unarchive',
      show: (moved) => said(moved, `${moved.general.name} (${moved.guid}) is no longer archived.`),
    }),
  ],
};
