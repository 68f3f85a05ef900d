import type { Static } from 'typebox';
import { rolePlaces } from '../roles.ts';
import { answer, choice, flag, list, orNull, text, uuid, whole } from './field.ts';

export const HeldScope = answer('A scope that the caller holds.', {
  scope: text('Its name.'),
  allows: text('What it grants, in words.'),
});
export type HeldScope = Static<typeof HeldScope>;

export const WhoAmIGrant = answer('What the caller may do, and where.', {
  place: choice(
    'Everywhere, in a management group, at one restaurant, or for a partner: at the restaurants ' +
      'that are connected to it.',
    rolePlaces,
  ),
  guid: orNull(uuid('The group, restaurant, or partner; null for the whole platform.')),
  name: orNull(text('Its name; null for the whole platform.')),
  scopes: list(HeldScope, 'The scopes that the caller holds there.'),
});
export type WhoAmIGrant = Static<typeof WhoAmIGrant>;

export const ReachedRestaurant = answer('A restaurant that the caller has access to.', {
  guid: uuid('The restaurant.'),
  name: text('Its name.'),
  archived: flag(
    'Whether it is archived; the partner interfaces do not serve archived restaurants.',
  ),
});
export type ReachedRestaurant = Static<typeof ReachedRestaurant>;

export const ForeseenRefusal = answer('The refusal that the call would get.', {
  status: whole('The HTTP status.', { minimum: 400, maximum: 599 }),
  code: whole('The error code; see /errors/{code}.'),
  message: text('What is wrong and what to do.'),
});
export type ForeseenRefusal = Static<typeof ForeseenRefusal>;

export const ForeseenCall = answer('The call that was checked. It was not made.', {
  operation: text('The id of the operation.'),
  method: text('Its HTTP method.'),
  path: text('Its path, with {name} for each parameter.'),
  scope: orNull(text('The scope that it needs; null when it needs none.')),
  restaurantGuid: orNull(uuid('The restaurant that it would work on.')),
  refusal: orNull(
    ForeseenRefusal,
    'Null if the caller, the restaurant and the scope pass the checks.',
  ),
});
export type ForeseenCall = Static<typeof ForeseenCall>;

export const WhoAmI = answer('Who sends the request, and what they may do.', {
  type: choice('The type of the API account, or PERSON for a person of the back office.', [
    'PARTNER',
    'CUSTOMER',
    'BACK_OFFICE',
    'PERSON',
  ]),
  id: text('The clientId of an account, or the GUID of a person.'),
  name: text('The name of the account or the person.'),
  email: orNull(text('The email address of a person; null for an account.')),
  grants: list(WhoAmIGrant, 'What the caller may do, by place.'),
  restaurants: list(
    ReachedRestaurant,
    'Restaurants that the caller has access to, by name. At most 100.',
    { maxItems: 100 },
  ),
  hasMoreRestaurants: flag('Whether the caller has access to others, too.'),
  call: orNull(ForeseenCall, 'The call that was checked; null if none was.'),
});
export type WhoAmI = Static<typeof WhoAmI>;
