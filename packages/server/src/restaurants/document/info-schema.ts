import { schemas } from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';

const { guid: _guid, ...sections } = (schemas.RestaurantInfo as unknown as JsonSchema)
  .properties as Readonly<Record<string, JsonSchema>>;

/** The sections of RestaurantInfo, and in `general` not the group, which a document is about. */
export function infoSections(): Readonly<Record<string, JsonSchema>> {
  const { managementGroupGuid: _group, ...generalFields } = sections.general?.properties ?? {};
  return { ...sections, general: { ...sections.general, properties: generalFields } };
}

/**
 * The schema of a restaurant as people write it: what can be filled in may be absent. Its currency
 * is looked at by its rule alone, which says of any text what to write.
 */
export function restaurantSchema(): JsonSchema {
  const { currencyCode, ...generalFields } = sections.general?.properties ?? {};
  const { pattern: _pattern, ...anyText } = currencyCode ?? {};
  const general = { ...sections.general, properties: { ...generalFields, currencyCode: anyText } };
  const description = 'What the restaurants interface tells.';
  return objectSchema({ description }, { ...sections, general });
}
