import { type BackOfficeRestaurant, type RestaurantInfo, schemas } from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';
import { storedForm } from '../../http/pipeline/arrange.ts';

/** What partners read of a restaurant, and what they don't. */
export type RestaurantSettings = RestaurantInfo & Pick<BackOfficeRestaurant, 'orders'>;

const properties = {
  ...schemas.RestaurantInfo.properties,
  orders: schemas.BackOfficeRestaurant.properties.orders,
};
const { guid: _guid, ...sections } = properties as unknown as Readonly<Record<string, JsonSchema>>;
const form = storedForm({ properties });

export const SETTINGS_DESCRIPTION =
  'What the restaurants interface shows, and how the restaurant takes orders.';

export function arrangeSettings(value: unknown): RestaurantSettings {
  return form.arrange(value) as RestaurantSettings;
}

export function infoSections(): Readonly<Record<string, JsonSchema>> {
  const { managementGroupGuid: _group, ...generalFields } = sections.general?.properties ?? {};
  return { ...sections, general: { ...sections.general, properties: generalFields } };
}

/** Optional fields may be absent. Only the rule checks the currency: its text is better. */
export function restaurantSchema(): JsonSchema {
  const { currencyCode, ...generalFields } = sections.general?.properties ?? {};
  const { pattern: _pattern, ...anyText } = currencyCode ?? {};
  const general = { ...sections.general, properties: { ...generalFields, currencyCode: anyText } };
  return objectSchema({ description: SETTINGS_DESCRIPTION }, { ...sections, general });
}
