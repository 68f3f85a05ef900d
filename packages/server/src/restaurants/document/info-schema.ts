import { schemas } from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../configuration/document/field-schema.ts';

const { guid: _guid, ...sections } = (schemas.RestaurantInfo as unknown as JsonSchema)
  .properties as Readonly<Record<string, JsonSchema>>;

/** The sections of RestaurantInfo, and in `general` not the group, which a document is about. */
export function infoSections(): Readonly<Record<string, JsonSchema>> {
  const { managementGroupGuid: _group, ...generalFields } = sections.general?.properties ?? {};
  return { ...sections, general: { ...sections.general, properties: generalFields } };
}

/** The schema of a restaurant as people write it: what can be filled in may be absent. */
export function restaurantSchema(): JsonSchema {
  return objectSchema({ description: 'What the restaurants interface tells.' }, sections);
}
