import type { Connection, Partner, PartnerEventPage, WebhookEvent } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { editOptions, edits, needsFields } from '../edit.ts';
import { position } from '../readers.ts';
import { type Columns, rows, said } from '../shown.ts';
import { limit, required, text, the } from '../values.ts';

const columns: Columns<Partner> = {
  partner: 'guid',
  name: 'name',
  description: 'description',
  created: 'createdAt',
};

const connectionColumns: Columns<Connection> = {
  restaurant: 'restaurantGuid',
  name: 'restaurantName',
  state: 'state',
  since: ({ createdAt, disconnectedAt }) => disconnectedAt ?? createdAt,
  reason: 'disconnectReason',
};

const eventColumns: Columns<PartnerEventPage['results'][number]> = {
  position: 'position',
  at: ({ event }) => event.timestamp,
  event: ({ event }) => event.eventType,
  restaurant: ({ event }) => event.details.restaurantGuid,
  name: ({ event }) => connectionOf(event)?.restaurantName ?? null,
  'group ref': ({ event }) => connectionOf(event)?.externalGroupRef ?? null,
  'restaurant ref': ({ event }) => connectionOf(event)?.externalRestaurantRef ?? null,
};

function connectionOf(event: WebhookEvent) {
  return event.eventCategory === 'partner' ? event.details : null;
}

export const partners: Family = {
  name: 'partners',
  summary: 'Create, view, and edit partners',
  examples: ['servery partners create --name Courier --description "Delivers food."'],
  commands: [
    command({
      name: 'list',
      summary: 'List partners by name',
      examples: ['servery partners list --name whistle'],
      isDefault: true,
      options: { name: text('<text>', 'name contains this text'), limit },
      operation: 'backOffice.partners.list',
      pages: { columns, empty: 'No partner matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show a partner',
      examples: ['servery partners show Orderwhistle'],
      arguments: { partner: the.partner },
      operation: 'backOffice.partners.get',
    }),
    command({
      name: 'create',
      summary: 'Create a partner that every restaurant can connect to',
      examples: ['servery partners create --name Courier'],
      options: {
        name: required(text('<name>', 'name of the partner')),
        description: text('<text>', 'what it does'),
      },
      operation: 'backOffice.partners.create',
      show: (made) =>
        said(made, `Created ${made.name} (${made.guid}).`, [
          `Next, create an account: servery clients create --type partner --partner ${made.guid} …`,
        ]),
    }),
    command({
      name: 'edit',
      summary: 'Edit a partner',
      examples: ['servery partners edit Orderwhistle --set description="Takes orders."'],
      arguments: { partner: the.partner },
      options: {
        name: text('<name>', 'new name'),
        description: text('<text>', 'what it does'),
        ...editOptions,
      },
      operation: 'backOffice.partners.update',
      check: needsFields('PartnerEdit'),
      run: edits('backOffice.partners.get'),
    }),
    command({
      name: 'connections',
      summary: 'List the restaurants that a partner is or was connected to',
      examples: ['servery partners connections Orderwhistle'],
      arguments: { partner: the.partner },
      options: { limit },
      operation: 'backOffice.partners.connections',
      pages: { columns: connectionColumns, empty: 'The partner has no connections yet.' },
    }),
    command({
      name: 'events',
      summary: 'List the events of a partner',
      examples: ['servery partners events Orderwhistle --after 2'],
      arguments: { partner: the.partner },
      options: { after: text('<position>', 'events after this position', position) },
      operation: 'backOffice.partners.events',
      show: (page) => ({ ...rows(eventColumns, page.results, 'There are no events.'), json: page }),
    }),
  ],
};
