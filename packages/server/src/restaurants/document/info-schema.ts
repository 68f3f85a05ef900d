import { schemas } from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';

const { guid: _guid, ...sections } = (schemas.RestaurantInfo as unknown as JsonSchema)
  .properties as Readonly<Record<string, JsonSchema>>;

export function infoSections(): Readonly<Record<string, JsonSchema>> {
  const { managementGroupGuid: _group, ...generalFields } = sections.general?.properties ?? {};
  return { ...sections, general: { ...sections.general, properties: generalFields } };
}

/** Optional fields may be absent. Only the rule checks the currency: its text is better. */
export function restaurantSchema(): JsonSchema {
  const { currencyCode, ...generalFields } = sections.general?.properties ?? {};
  const { pattern: _pattern, ...anyText } = currencyCode ?? {};
  const general = { ...sections.general, properties: { ...generalFields, currencyCode: anyText } };
  const description = 'What the restaurants interface shows.';
  return objectSchema({ description }, { ...sections, general });
}
