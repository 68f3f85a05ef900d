import type { Static } from 'typebox';
import {
  answer,
  choice,
  dateTime,
  flag,
  optional,
  orNull,
  request,
  text,
  uuid,
  whole,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const externalGroupRef = orNull(text('What the partner calls the group; null when not said.'));
const externalRestaurantRef = orNull(
  text('What the partner calls the location; null when not said.'),
);
const person = {
  firstName: orNull(text('First name.')),
  lastName: orNull(text('Last name.')),
  email: orNull(text('E-mail address.')),
  phone: orNull(text('Telephone number.')),
};

export const ConnectionEmployee = answer('The employee who changed a connection.', person);
export type ConnectionEmployee = Static<typeof ConnectionEmployee>;

export const Connection = answer('The consent of a restaurant to the integration of a partner.', {
  restaurantGuid: uuid('The restaurant.'),
  restaurantName: text('Its name.'),
  partnerGuid: uuid('The partner.'),
  partnerName: text('Its name.'),
  state: choice('CONNECTED: the partner has access. DISCONNECTED: it has none any more.', [
    'CONNECTED',
    'DISCONNECTED',
  ]),
  externalGroupRef,
  externalRestaurantRef,
  changedBy: ConnectionEmployee,
  createdAt: dateTime('When it was made, or made anew.'),
  modifiedAt: dateTime('When it was changed last.'),
  disconnectedAt: orNull(dateTime('When it ended; null while it lives.')),
  disconnectReason: orNull(text('Why it ended, in words of whoever ended it.')),
});
export type Connection = Static<typeof Connection>;

export const ConnectionPage = answer(
  'One page of connections.',
  pageOf(Connection, 'The connections.'),
);
export type ConnectionPage = Static<typeof ConnectionPage>;

export const ConnectablePartner = answer('A partner that a restaurant can connect to.', {
  guid: uuid('The partner.'),
  name: text('Its name.'),
  description: orNull(text('What it does; null when nobody said.')),
  isConnected: flag('Whether the restaurant is connected to it now.'),
});
export type ConnectablePartner = Static<typeof ConnectablePartner>;

export const ConnectablePartnerPage = answer(
  'One page of partners to connect to.',
  pageOf(ConnectablePartner, 'The partners, by name.'),
);
export type ConnectablePartnerPage = Static<typeof ConnectablePartnerPage>;

const reference = (whose: string) =>
  Type.Optional(
    orNull(
      words(`What the partner calls ${whose}; 1 to 200 characters, null for nothing.`, {
        minLength: 1,
        maxLength: 200,
      }),
    ),
  );
const references = {
  externalGroupRef: reference('the group'),
  externalRestaurantRef: reference('the location'),
};
const short = (what: string, maxLength: number) =>
  Type.Optional(orNull(words(what, { minLength: 1, maxLength })));
const employee = optional(
  Type.Object(
    {
      firstName: short('First name.', 100),
      lastName: short('Last name.', 100),
      email: short('E-mail address, such as ada@example.com.', 254),
      phone: short('Telephone number.', 50),
    },
    {
      description:
        'For whom an API account does this; the partner is told. A person who is logged in ' +
        'leaves it out.',
    },
  ),
);

export const NewConnection = request('The partner to connect with.', {
  partnerGuid: uuid('The partner.'),
  ...references,
  employee,
});
export type NewConnection = Static<typeof NewConnection>;

export const ConnectionEdit = request('What to change of a connection; what is left out stays.', {
  ...references,
  employee,
});
export type ConnectionEdit = Static<typeof ConnectionEdit>;

export const EndConnection = request('Why the connection ends.', {
  reason: words('Why, in your own words.', { minLength: 1, maxLength: 500 }),
  employee,
});
export type EndConnection = Static<typeof EndConnection>;

export const ConnectionChange = answer('One change of a connection.', {
  number: whole('Its number among the changes of the connection, from 1.', { minimum: 1 }),
  kind: choice(
    'What happened; RESTAURANT_EDITED is a change of what the partner is told of the restaurant.',
    ['CONNECTED', 'EDITED', 'RESTAURANT_EDITED', 'DISCONNECTED'],
  ),
  at: dateTime('When, by the clock of the environment.'),
  by: text('Who: the id of an account, person: and a GUID, or system: and a name.'),
  employee: ConnectionEmployee,
  requestId: orNull(uuid('The request that did it; null when none did.')),
  externalGroupRef,
  externalRestaurantRef,
  reason: orNull(text('Why it ended; null for other changes.')),
});
export type ConnectionChange = Static<typeof ConnectionChange>;

export const ConnectionChangePage = answer(
  'One page of the timeline of a connection.',
  pageOf(ConnectionChange, 'The changes, the newest first.'),
);
export type ConnectionChangePage = Static<typeof ConnectionChangePage>;
