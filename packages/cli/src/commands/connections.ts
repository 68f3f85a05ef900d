import type { ConnectablePartner, Connection, ConnectionChange } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { edits } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { findPartnerAt, nullIfRefused } from '../find/find.ts';
import { withNames } from '../find/names.ts';
import { quoted, words } from '../readers.ts';
import { type Columns, said } from '../shown.ts';
import { argument, as, atRestaurant, limit, naming, removable, required, text } from '../values.ts';

const columns: Columns<Connection> = {
  partner: 'partnerGuid',
  name: 'partnerName',
  state: 'state',
  'group ref': 'externalGroupRef',
  'restaurant ref': 'externalRestaurantRef',
  since: ({ createdAt, disconnectedAt }) => disconnectedAt ?? createdAt,
  reason: 'disconnectReason',
};

const partnerColumns: Columns<ConnectablePartner> = {
  partner: 'guid',
  name: 'name',
  description: 'description',
  connected: 'isConnected',
};

const changeColumns: Columns<ConnectionChange> = {
  at: 'at',
  change: 'kind',
  by: 'by',
  employee: ({ employee: { firstName, lastName, email } }) =>
    [firstName, lastName, email].filter((part) => part !== null).join(' '),
  'group ref': 'externalGroupRef',
  'restaurant ref': 'externalRestaurantRef',
  reason: 'reason',
};

const at = { restaurant: atRestaurant() };
const onPartner = { partner: naming(findPartnerAt, 'partnerGuid', argument('name or GUID')) };
const employee = {
  firstName: as(
    'employee.firstName',
    text('<name>', 'first name of the employee who asked for it; the partner sees it'),
  ),
  lastName: as('employee.lastName', text('<name>', 'last name of the employee')),
  email: as('employee.email', text('<address>', 'email address of the employee')),
  phone: as('employee.phone', text('<number>', 'phone number of the employee')),
};
const references = {
  groupRef: removable('externalGroupRef', 'what the partner calls the group; "" removes it'),
  restaurantRef: removable(
    'externalRestaurantRef',
    'what the partner calls the restaurant; "" removes it',
  ),
};

export const connections: Family = {
  name: 'connections',
  summary: 'Connect a restaurant to partners, and disconnect it',
  examples: [
    'servery connections connect Pedalcrate --restaurant "The Early Wren"',
    'servery connections disconnect Pedalcrate --reason "contract ended"',
  ],
  commands: [
    command({
      name: 'list',
      summary: 'List the partners that a restaurant is or was connected to',
      examples: ['servery connections list --restaurant "The Early Wren"'],
      isDefault: true,
      options: { ...at, limit },
      operation: 'backOffice.connections.list',
      pages: { columns, empty: 'The restaurant has no connections yet.' },
    }),
    command({
      name: 'partners',
      summary: 'List every partner that a restaurant can connect to',
      examples: ['servery connections partners'],
      options: { ...at, limit },
      operation: 'backOffice.connections.partners',
      pages: { columns: partnerColumns, empty: 'There are no partners yet.' },
    }),
    command({
      name: 'show',
      summary: 'Show a connection',
      examples: ['servery connections show Orderwhistle'],
      arguments: onPartner,
      options: at,
      operation: 'backOffice.connections.get',
    }),
    command({
      name: 'connect',
      summary: 'Give a partner access to the restaurant at once',
      examples: ['servery connections connect Pedalcrate --restaurant-ref STORE-7'],
      arguments: onPartner,
      options: { ...at, ...references, ...employee },
      operation: 'backOffice.connections.connect',
      show: (made) => said(made, `${made.restaurantName} is connected to ${made.partnerName}.`),
    }),
    command({
      name: 'edit',
      summary: 'Change what the partner calls the group and the restaurant',
      examples: ['servery connections edit Orderwhistle --restaurant-ref STORE-8'],
      arguments: onPartner,
      options: { ...at, ...references, ...employee },
      check: ({ options: { groupRef, restaurantRef } }) => {
        if (groupRef !== undefined || restaurantRef !== undefined) return;
        throw invalidUsage('nothing to change. Use --group-ref or --restaurant-ref.');
      },
      operation: 'backOffice.connections.update',
      run: edits('backOffice.connections.get'),
    }),
    command({
      name: 'disconnect',
      summary: 'End the access of a partner at once',
      examples: ['servery connections disconnect Pedalcrate --reason "contract ended"'],
      arguments: onPartner,
      options: {
        ...at,
        reason: required(text('<text>', 'reason, for the record', words)),
        ...employee,
      },
      operation: 'backOffice.connections.disconnect',
      run: async ({ ask, read }) => {
        const before = await read('backOffice.connections.get').catch(nullIfRefused);
        const ended = await ask();
        const { restaurantName, partnerName, disconnectReason } = ended;
        return said(
          ended,
          before?.state === 'DISCONNECTED'
            ? `${restaurantName} was already disconnected from ${partnerName}. Nothing changed, ` +
                `and the reason is still ${quoted(disconnectReason ?? '')}.`
            : `${restaurantName} is disconnected from ${partnerName}.`,
        );
      },
    }),
    command({
      name: 'timeline',
      summary: 'List every change to a connection, newest first',
      examples: ['servery connections timeline Orderwhistle'],
      arguments: onPartner,
      options: { ...at, limit },
      operation: 'backOffice.connections.timeline',
      pages: {
        columns: changeColumns,
        empty: 'The connection has no history.',
        rows: (changes, call) => withNames(call, changes, 'by'),
      },
    }),
  ],
};
