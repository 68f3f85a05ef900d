import type { Static, TSchema } from 'typebox';
import { answer, identifier, orNull, text, uuid } from './field.ts';
import { Type } from './type.ts';

const guid = uuid('Identifier that the platform assigns. It never changes.');
const externalId = orNull(
  identifier(
    'Identifier assigned by an external system, prefixed by the authority that named it. ' +
      'Null if there is none.',
  ),
);

export const Reference = answer('A reference to an object of the platform.', {
  guid,
  entityType: text('Kind of the referenced object: its resource name.'),
});
export type Reference = Static<typeof Reference>;

export const ExternalReference = answer(
  'A reference to an object of the platform that may also have an external identifier.',
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
  Type.Literal(name, { description: 'Type of this object: always its resource name.' });
