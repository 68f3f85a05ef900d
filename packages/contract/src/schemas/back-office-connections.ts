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

const externalGroupRef = orNull(
  text('The name that the partner uses for the group; null if not set.'),
);
const externalRestaurantRef = orNull(
  text('The name that the partner uses for the location; null if not set.'),
);
const person = {
  firstName: orNull(text('First name.')),
  lastName: orNull(text('Last name.')),
  email: orNull(text('Email address.')),
  phone: orNull(text('Phone number.')),
};

export const ConnectionEmployee = answer('The employee who changed a connection.', person);
export type ConnectionEmployee = Static<typeof ConnectionEmployee>;

export const Connection = answer('The consent of a restaurant to the integration of a partner.', {
  restaurantGuid: uuid('The restaurant.'),
  restaurantName: text('Its name.'),
  restaurantArchived: flag(
    'Whether the restaurant is archived: the partner interfaces do not serve it then.',
  ),
  partnerGuid: uuid('The partner.'),
  partnerName: text('Its name.'),
  state: choice('CONNECTED: the partner has access. DISCONNECTED: it no longer has access.', [
    'CONNECTED',
    'DISCONNECTED',
  ]),
  externalGroupRef,
  externalRestaurantRef,
  changedBy: ConnectionEmployee,
  createdAt: dateTime('When the connection was created, or last created again.'),
  modifiedAt: dateTime('When it last changed.'),
  disconnectedAt: orNull(dateTime('When it ended; null while it is active.')),
  disconnectReason: orNull(text('Why it ended, as the person who ended it put it.')),
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
  description: orNull(text('What it does; null if not set.')),
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
      words(`The name that the partner uses for ${whose}; 1 to 200 characters, or null for none.`, {
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
      email: short('Email address, for example ada@example.com.', 254),
      phone: short('Phone number.', 50),
    },
    {
      description:
        'The employee on whose behalf an API account makes the change. The partner sees it. ' +
        'Leave it out if you are logged in as a person.',
    },
  ),
);

export const NewConnection = request('The partner to connect to.', {
  partnerGuid: uuid('The partner.'),
  ...references,
  employee,
});
export type NewConnection = Static<typeof NewConnection>;

export const ConnectionEdit = request(
  'The fields of a connection to change. Fields that you leave out do not change.',
  {
    ...references,
    employee,
  },
);
export type ConnectionEdit = Static<typeof ConnectionEdit>;

export const EndConnection = request('Why the connection ends.', {
  reason: words('Why, in your own words.', { minLength: 1, maxLength: 500 }),
  employee,
});
export type EndConnection = Static<typeof EndConnection>;

export const ConnectionChange = answer('One change to a connection.', {
  number: whole('Number of the change among the changes to the connection, starting at 1.', {
    minimum: 1,
  }),
  kind: choice(
    'What happened. RESTAURANT_EDITED: the information that the partner sees about the restaurant ' +
      'changed.',
    ['CONNECTED', 'EDITED', 'RESTAURANT_EDITED', 'DISCONNECTED'],
  ),
  at: dateTime('When it happened, by the clock of the environment.'),
  by: text('Who made the change: a client id, `person:` and a GUID, or `system:` and a name.'),
  employee: ConnectionEmployee,
  requestId: orNull(uuid('The request that made the change; null if there was none.')),
  externalGroupRef,
  externalRestaurantRef,
  reason: orNull(text('Why the connection ended; null for other changes.')),
});
export type ConnectionChange = Static<typeof ConnectionChange>;

export const ConnectionChangePage = answer(
  'One page of the timeline of a connection.',
  pageOf(ConnectionChange, 'The changes, newest first.'),
);
export type ConnectionChangePage = Static<typeof ConnectionChangePage>;
