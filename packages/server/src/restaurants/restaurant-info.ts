import { type RestaurantInfo, schemas } from '@servery/contract';
import { arranger } from '../http/pipeline/arrange.ts';
import { arrangeSettings, type RestaurantSettings } from './document/info-schema.ts';
import type { RestaurantRow } from './store.ts';

const arrange = arranger(schemas.RestaurantInfo);

/** RST-5, API-10: every field in contract order, null without a value. */
export function restaurantInfo(row: RestaurantRow): RestaurantInfo {
  // The columns have the names of the general section.
  return arrange({ ...row, general: row }) as RestaurantInfo;
}

export function restaurantSettings(row: RestaurantRow): RestaurantSettings {
  return arrangeSettings({ ...row, general: row });
}
