import type { Static, TSchema } from 'typebox';
import { answer, line, orNull, text, uuid } from './field.ts';
import { Type } from './type.ts';

const guid = uuid('Identifier that the platform maintains; it never changes.');
const externalId = orNull(
  line('Identifier given from outside, prefixed by the authority that named it. Null without one.'),
);

export const Reference = answer('Points to an object of the platform.', {
  guid,
  entityType: text('Kind of the object that is pointed to: its resource name.'),
});
export type Reference = Static<typeof Reference>;

export const ExternalReference = answer(
  'Points to an object of the platform that may also carry an identifier from outside.',
  { ...Reference.properties, externalId },
);
export type ExternalReference = Static<typeof ExternalReference>;

export const referenced = <const Name extends string, const Fields extends Record<string, TSchema>>(
  name: Name,
  description: string,
  fields: Fields,
) => answer(description, { guid, entityType: entityTypeOf(name), ...fields });

export const externallyReferenced = <
  const Name extends string,
  const Fields extends Record<string, TSchema>,
>(
  name: Name,
  description: string,
  fields: Fields,
) => answer(description, { guid, entityType: entityTypeOf(name), externalId, ...fields });

const entityTypeOf = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'Kind of this object: always its resource name.' });
