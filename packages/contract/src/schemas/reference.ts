import type { Static, TSchema } from 'typebox';
import { answer, line, orNull, text, uuid } from './field.ts';
import { Type } from './type.ts';

const guid = uuid('Identifier that the platform assigns. It never changes.');
const externalId = orNull(
  line(
    'Identifier assigned by an external system, prefixed by the authority that named it. ' +
      'Null if there is none.',
  ),
);

/** Points to an object by its GUID. */
export const Reference = answer('A reference to an object of the platform.', {
  guid,
  entityType: text('Kind of the referenced object: its resource name.'),
});
/** Points to an object by its GUID. */
export type Reference = Static<typeof Reference>;

/** Points to an object by its GUID and by the identifier that an outsider gave it. */
export const ExternalReference = answer(
  'A reference to an object of the platform that may also have an external identifier.',
  { ...Reference.properties, externalId },
);
/** Points to an object by its GUID and by the identifier that an outsider gave it. */
export type ExternalReference = Static<typeof ExternalReference>;

/** A resource that is a `Reference` with fields of its own; `entityType` is its name (CFG-7). */
export const referenced = <const Name extends string, const Fields extends Record<string, TSchema>>(
  name: Name,
  description: string,
  fields: Fields,
) => answer(description, { guid, entityType: entityTypeOf(name), ...fields });

/** A resource that is an `ExternalReference` with fields of its own (CFG-7). */
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
