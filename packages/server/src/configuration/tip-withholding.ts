import { schemas, type TipWithholding } from '@servery/contract';
import type { Database } from '../database/database.ts';
import { arranger } from '../http/pipeline/arrange.ts';
import { tipWithholdingGuid } from './document/identity.ts';
import { findTipWithholding } from './store.ts';

const arrange = arranger(schemas.TipWithholding);

/**
 * The tip withholding of a restaurant in wire form; one that withholds nothing when it was never
 * configured, so that there always is an object (decisions CFG-11).
 */
export async function readTipWithholding(
  database: Database,
  restaurantGuid: string,
): Promise<TipWithholding> {
  const stored = await findTipWithholding(database.sql, restaurantGuid);
  const guid = stored?.guid ?? tipWithholdingGuid(restaurantGuid);
  return arrange({ ...stored?.fields, guid }) as TipWithholding;
}
