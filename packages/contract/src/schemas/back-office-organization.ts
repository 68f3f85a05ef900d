import type { Static, TSchema } from 'typebox';
import {
  answer,
  choice,
  dateTime,
  flag,
  optional,
  orNull,
  text,
  uuid,
  whole,
  wholeWords,
} from './field.ts';
import { pageOf } from './page.ts';
import { patchOf } from './patch.ts';
import {
  Delivery,
  General,
  Location,
  OnlineOrdering,
  PrepTimes,
  Schedules,
  URLs,
} from './restaurants.ts';
import { Type } from './type.ts';

const version = whole(
  'Increases with each change. Send it back to change only the version that you have read.',
  { minimum: 1 },
);
const createdAt = dateTime('When it was created.');
const modifiedAt = dateTime('When it last changed.');
const sameVersion = Type.Optional(
  whole(
    'The version that you have read. If it has changed since, this is a 409. If you leave it out, nothing is checked.',
    {
      minimum: 1,
      '~must': 'be a whole number: the version that you have read, or leave it out',
    },
  ),
);
const givenGuid = optional(
  uuid('Its identifier, if it already has one in another system. Default: a new one.'),
);
/** A change may repeat these fields of an answer. */
const repeated = {
  createdAt: Type.Optional(dateTime('Ignored, so that you can send back a response.')),
  modifiedAt: Type.Optional(dateTime('Ignored, so that you can send back a response.')),
};
const groupName = wholeWords('Name of the group.', { minLength: 1, maxLength: 255 });

export const ManagementGroup = answer('A management group, which runs restaurants.', {
  guid: uuid('The management group.'),
  name: text('Name of the group.'),
  archived: flag('True if the group was archived.'),
  version,
  createdAt,
  modifiedAt,
});
export type ManagementGroup = Static<typeof ManagementGroup>;

export const ManagementGroupPage = answer(
  'One page of management groups.',
  pageOf(ManagementGroup, 'The management groups, sorted by name.'),
);
export type ManagementGroupPage = Static<typeof ManagementGroupPage>;

export const CreateManagementGroup = answer('The management group to create.', {
  guid: givenGuid,
  name: groupName,
});
export type CreateManagementGroup = Static<typeof CreateManagementGroup>;

export const EditManagementGroup = {
  ...answer('The changes to a management group, as a JSON merge patch (RFC 7396).', {
    guid: Type.Optional(uuid('As in the path. It cannot change.')),
    name: Type.Optional(groupName),
    archived: Type.Optional(flag('The current value. Other operations archive and unarchive.')),
    version: sameVersion,
    ...repeated,
  }),
  '~ignored': Object.keys(repeated),
};
export type EditManagementGroup = Static<typeof EditManagementGroup>;

export const RestaurantOrders = answer('How the restaurant takes orders. Partners do not see it.', {
  approval: choice(
    'auto: a new order goes to the kitchen by itself. manual: someone approves each order within ' +
      '15 minutes, or it is voided. Applies to orders that are placed from now on.',
    ['auto', 'manual'],
    { default: 'auto' },
  ),
});
export type RestaurantOrders = Static<typeof RestaurantOrders>;

export const BackOfficeRestaurant = answer('A restaurant with all its settings.', {
  guid: uuid('The restaurant.'),
  version,
  publishNumber: whole('Increases with each publication of its configuration.', { minimum: 1 }),
  createdAt,
  modifiedAt,
  general: General,
  urls: URLs,
  location: Location,
  schedules: Schedules,
  delivery: Delivery,
  onlineOrdering: OnlineOrdering,
  prepTimes: PrepTimes,
  orders: RestaurantOrders,
});
export type BackOfficeRestaurant = Static<typeof BackOfficeRestaurant>;

export const RestaurantOverview = answer('A restaurant in a list.', {
  guid: uuid('The restaurant.'),
  managementGroupGuid: uuid('The management group that it belongs to.'),
  name: text('Name that guests see.'),
  locationName: orNull(text('Name that lets guests distinguish the locations of a group.')),
  locationCode: orNull(text('Internal code of the location.')),
  timeZone: text('Time zone by its IANA name.'),
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  archived: flag('True if it was archived.'),
  version,
  modifiedAt,
});
export type RestaurantOverview = Static<typeof RestaurantOverview>;

export const RestaurantOverviewPage = answer(
  'One page of restaurants.',
  pageOf(RestaurantOverview, 'The restaurants, sorted by name.'),
);
export type RestaurantOverviewPage = Static<typeof RestaurantOverviewPage>;

/** A patch of a section, or null, which clears it. */
const section = <Schema extends TSchema>(schema: Schema) => {
  const patch = patchOf(schema);
  return Type.Optional(Type.Unsafe<Static<typeof patch> | null>({ ...patch, '~mayBeNull': true }));
};
const sections = {
  urls: section(URLs),
  location: section(Location),
  schedules: section(Schedules),
  delivery: section(Delivery),
  onlineOrdering: section(OnlineOrdering),
  prepTimes: section(PrepTimes),
  orders: section(RestaurantOrders),
};
const publishNumber = Type.Optional(whole('Ignored, so that you can send back a response.'));
const repeatedNames = ['publishNumber', ...Object.keys(repeated)];

export const CreateRestaurant = {
  ...answer(
    'The restaurant to create. Fields that are null or left out have no value, or their default.',
    {
      guid: givenGuid,
      general: {
        ...patchOf(General, ['name', 'timeZone', 'currencyCode', 'managementGroupGuid']),
        '~nullIsAbsent': true,
      },
      ...sections,
      version: Type.Optional(
        whole('Ignored, so that you can send back a response from another system.'),
      ),
      publishNumber,
      ...repeated,
    },
  ),
  '~ignored': ['version', ...repeatedNames],
};
export type CreateRestaurant = Static<typeof CreateRestaurant>;

export const EditRestaurant = {
  ...answer(
    'The changes to a restaurant, as a JSON merge patch (RFC 7396). Fields that you leave out do ' +
      'not change, null clears a field, and a list is replaced as a whole.',
    {
      guid: Type.Optional(uuid('As in the path. It cannot change.')),
      general: Type.Optional(patchOf(General)),
      ...sections,
      version: sameVersion,
      publishNumber,
      ...repeated,
    },
  ),
  '~ignored': repeatedNames,
};
export type EditRestaurant = Static<typeof EditRestaurant>;
