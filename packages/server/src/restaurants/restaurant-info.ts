import { type RestaurantInfo, schemas } from '@servery/contract';
import { arranger } from '../http/pipeline/arrange.ts';
import type { RestaurantRow } from './store.ts';

const arrange = arranger(schemas.RestaurantInfo);

/**
 * The wire form of a restaurant: the sections and fields in the contract's order, every field
 * there, null where it has no value (decisions RST-5, API-10).
 */
export function restaurantInfo(row: RestaurantRow): RestaurantInfo {
  // The columns carry the names of the general section, which picks its own of them.
  return arrange({ ...row, general: row }) as RestaurantInfo;
}
