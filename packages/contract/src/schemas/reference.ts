import type { Static, TSchema } from 'typebox';
import { answer, line, orNull, text, uuid } from './field.ts';
import { Type } from './type.ts';

const guid = uuid('Identifier that the platform maintains; it never changes.');
const externalId = orNull(
  line('Identifier given from outside, prefixed by the authority that named it. Null without one.'),
);

/** Points to an object by its GUID. */
export const Reference = answer('Points to an object of the platform.', {
  guid,
  entityType: text('Kind of the object that is pointed to: its resource name.'),
});
/** Points to an object by its GUID. */
export type Reference = Static<typeof Reference>;

/** Points to an object by its GUID and by the identifier that an outsider gave it. */
export const ExternalReference = answer(
  'Points to an object of the platform that may also carry an identifier from outside.',
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
