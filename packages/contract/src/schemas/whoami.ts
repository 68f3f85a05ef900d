import type { Static } from 'typebox';
import { rolePlaces } from '../roles.ts';
import { answer, choice, flag, list, orNull, text, uuid, whole } from './field.ts';

/** A scope that a caller holds, in words. */
export const HeldScope = answer('A scope that the caller holds.', {
  scope: text('Its name.'),
  allows: text('What it grants, in words.'),
});
/** A scope that a caller holds, in words. */
export type HeldScope = Static<typeof HeldScope>;

/** What a caller may do at one place. */
export const WhoAmIGrant = answer('What the caller may do, and where.', {
  place: choice(
    'Everywhere, in a management group, at one restaurant, or for a partner: at the restaurants ' +
      'that are connected to it.',
    rolePlaces,
  ),
  guid: orNull(uuid('The group, restaurant or partner; null for the whole platform.')),
  name: orNull(text('Its name; null for the whole platform.')),
  scopes: list(HeldScope, 'What is allowed there.'),
});
/** What a caller may do at one place. */
export type WhoAmIGrant = Static<typeof WhoAmIGrant>;

/** A restaurant that a caller reaches. */
export const ReachedRestaurant = answer('A restaurant that the caller reaches.', {
  guid: uuid('The restaurant.'),
  name: text('Its name.'),
  archived: flag('Whether it is archived: then the partner interfaces do not serve it.'),
});
/** A restaurant that a caller reaches. */
export type ReachedRestaurant = Static<typeof ReachedRestaurant>;

/** Why a call would be refused. */
export const ForeseenRefusal = answer('A refusal, as the call itself would get it.', {
  status: whole('The HTTP status.', { minimum: 400, maximum: 599 }),
  code: whole('The code of the kind of refusal; see /errors/{code}.'),
  message: text('What is wrong and what to do.'),
});
/** Why a call would be refused. */
export type ForeseenRefusal = Static<typeof ForeseenRefusal>;

/** Whether a call would be refused. */
export const ForeseenCall = answer('A call that was asked about and not made.', {
  operation: text('The id of the operation.'),
  method: text('Its HTTP method.'),
  path: text('Its path, with {name} for each parameter.'),
  scope: orNull(text('The scope that it needs; null when it needs none.')),
  restaurantGuid: orNull(uuid('The restaurant that it would work on.')),
  refusal: orNull(ForeseenRefusal, 'Null when the caller, the restaurant and the scope are right.'),
});
/** Whether a call would be refused. */
export type ForeseenCall = Static<typeof ForeseenCall>;

/** Who a caller is, with what he may do and where. */
export const WhoAmI = answer('Who is asking, and what may be done with the access token.', {
  type: choice('The kind of caller: an API account by its type, or a person of the back office.', [
    'PARTNER',
    'CUSTOMER',
    'BACK_OFFICE',
    'PERSON',
  ]),
  id: text('The clientId of an account, or the GUID of a person.'),
  name: text('What people call the account or the person.'),
  email: orNull(text('Of a person; null for an account.')),
  grants: list(WhoAmIGrant, 'What may be done, place by place.'),
  restaurantCount: whole('How many restaurants are reached.'),
  restaurants: list(ReachedRestaurant, 'The first 100 of them, by name.', { maxItems: 100 }),
  call: orNull(ForeseenCall, 'The call that was asked about; null when none was.'),
});
/** Who a caller is, with what he may do and where. */
export type WhoAmI = Static<typeof WhoAmI>;
