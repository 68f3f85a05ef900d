import { renewableAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { noMenus, wireTime } from '../read-menus.ts';
import { findLastUpdated } from '../store.ts';
import type { GetMenusDeps } from './get.ts';

export const getMetadataHandler =
  ({ answers }: Pick<GetMenusDeps, 'answers'>): HandlerOf<'menus.getMetadata'> =>
  ({ restaurant: { guid } }) =>
    renewableAnswer(answers, ['menus metadata', guid], [`menus:${guid}`], async (sql, sight) => {
      const lastUpdated = await findLastUpdated(sql, guid, sight);
      if (!lastUpdated) throw noMenus();
      return { json: { restaurantGuid: guid, lastUpdated: wireTime(lastUpdated) } };
    });
