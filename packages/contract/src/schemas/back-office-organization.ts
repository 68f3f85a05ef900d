import type { Static, TSchema } from 'typebox';
import {
  answer,
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

const version = whole('Raised by each change; send it back to change only what you have read.', {
  minimum: 1,
});
const createdAt = dateTime('When it was made.');
const modifiedAt = dateTime('When it was last changed.');
const sameVersion = Type.Optional(
  whole('The version that was read: another one by now is a conflict. Not checked when absent.', {
    minimum: 1,
    '~must': 'be a whole number: the version that you have read, or leave it out',
  }),
);
const givenGuid = optional(
  uuid('For what comes from another system and keeps its identifier; made when absent.'),
);
/** A change may repeat these fields of an answer. */
const repeated = {
  createdAt: Type.Optional(dateTime('As in the answer; ignored.')),
  modifiedAt: Type.Optional(dateTime('As in the answer; ignored.')),
};
const groupName = wholeWords('Name of the group.', { minLength: 1, maxLength: 255 });

export const ManagementGroup = answer('A management group: who runs some restaurants.', {
  guid: uuid('The management group.'),
  name: text('Name of the group.'),
  archived: flag('True once it runs no restaurant any more.'),
  version,
  createdAt,
  modifiedAt,
});
export type ManagementGroup = Static<typeof ManagementGroup>;

export const ManagementGroupPage = answer(
  'One page of management groups.',
  pageOf(ManagementGroup, 'The management groups, by name.'),
);
export type ManagementGroupPage = Static<typeof ManagementGroupPage>;

export const CreateManagementGroup = answer('Which management group to make.', {
  guid: givenGuid,
  name: groupName,
});
export type CreateManagementGroup = Static<typeof CreateManagementGroup>;

export const EditManagementGroup = {
  ...answer('What to change about a management group, as a JSON merge patch (RFC 7396).', {
    guid: Type.Optional(uuid('As in the path; it never changes.')),
    name: Type.Optional(groupName),
    archived: Type.Optional(flag('As it is: other operations archive and unarchive.')),
    version: sameVersion,
    ...repeated,
  }),
  '~ignored': Object.keys(repeated),
};
export type EditManagementGroup = Static<typeof EditManagementGroup>;

export const BackOfficeRestaurant = answer('A restaurant with all that can be set on it.', {
  guid: uuid('The restaurant.'),
  version,
  publishNumber: whole('Raised by each publication of its configuration.', { minimum: 1 }),
  createdAt,
  modifiedAt,
  general: General,
  urls: URLs,
  location: Location,
  schedules: Schedules,
  delivery: Delivery,
  onlineOrdering: OnlineOrdering,
  prepTimes: PrepTimes,
});
export type BackOfficeRestaurant = Static<typeof BackOfficeRestaurant>;

export const RestaurantOverview = answer('A restaurant in a list.', {
  guid: uuid('The restaurant.'),
  managementGroupGuid: uuid('The management group that it belongs to.'),
  name: text('Name that guests see.'),
  locationName: orNull(text('Name that tells the locations of a group apart.')),
  locationCode: orNull(text('Internal code of the location.')),
  timeZone: text('Time zone by its IANA name.'),
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  archived: flag('True when it was archived.'),
  version,
  modifiedAt,
});
export type RestaurantOverview = Static<typeof RestaurantOverview>;

export const RestaurantOverviewPage = answer(
  'One page of restaurants.',
  pageOf(RestaurantOverview, 'The restaurants, by name.'),
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
};
const publishNumber = Type.Optional(whole('As in the answer; ignored.'));
const repeatedNames = ['publishNumber', ...Object.keys(repeated)];

export const CreateRestaurant = {
  ...answer('Which restaurant to make: what is left out or null has no value, or its default.', {
    guid: givenGuid,
    general: {
      ...patchOf(General, ['name', 'timeZone', 'currencyCode', 'managementGroupGuid']),
      '~nullIsAbsent': true,
    },
    ...sections,
    version: Type.Optional(whole('As in the answer of another system; ignored.')),
    publishNumber,
    ...repeated,
  }),
  '~ignored': ['version', ...repeatedNames],
};
export type CreateRestaurant = Static<typeof CreateRestaurant>;

export const EditRestaurant = {
  ...answer(
    'What to change about a restaurant, as a JSON merge patch (RFC 7396): what is left out stays, ' +
      'null clears a field, a list is replaced as a whole.',
    {
      guid: Type.Optional(uuid('As in the path; it never changes.')),
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
