import { schemas, type TipWithholding } from '@servery/contract';
import { cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { arranger } from '../../http/pipeline/arrange.ts';
import { tipWithholdingGuid } from '../document/identity.ts';
import { findTipWithholding } from '../store.ts';
import type { GetObjectDeps } from './get.ts';

const arrange = arranger(schemas.TipWithholding);

export const tipWithholdingHandler =
  ({ answers }: GetObjectDeps): HandlerOf<'configuration.tipWithholding.get'> =>
  ({ restaurant: { guid: restaurantGuid } }) =>
    cachedAnswer(
      answers,
      ['tipWithholding', restaurantGuid],
      [`configuration:${restaurantGuid}`],
      async (sql, sight) => {
        const stored = await findTipWithholding(sql, restaurantGuid, sight);
        const guid = stored?.guid ?? tipWithholdingGuid(restaurantGuid);
        return { json: arrange({ ...stored?.fields, guid }) as TipWithholding };
      },
    );
