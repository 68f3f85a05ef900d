import { renewableAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { noMenus, wireTime } from '../read-menus.ts';
import { findLastUpdated } from '../store.ts';
import type { GetMenusDeps } from './get.ts';

export const getMetadataHandler =
  ({
    answers,
    database,
  }: Pick<GetMenusDeps, 'answers' | 'database'>): HandlerOf<'menus.getMetadata'> =>
  ({ restaurant: { guid } }) =>
    renewableAnswer(answers, ['menus metadata', guid], [`menus:${guid}`], async () => {
      const lastUpdated = await findLastUpdated(database.sql, guid);
      if (!lastUpdated) throw noMenus();
      return { json: { restaurantGuid: guid, lastUpdated: wireTime(lastUpdated) } };
    });
