import { type Answers, renewableAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { menusText, noMenus } from '../read-menus.ts';
import { findMenus } from '../store.ts';

export interface GetMenusDeps {
  readonly answers: Answers;
  readonly brand: string;
}

export const getMenusHandler =
  ({ answers, brand }: GetMenusDeps): HandlerOf<'menus.get'> =>
  ({ restaurant: { guid } }) =>
    renewableAnswer(answers, ['menus', guid], [`menus:${guid}`], async (sql, sight) => {
      const menus = await findMenus(sql, guid, sight);
      if (!menus) throw noMenus();
      return { bytes: menusText(menus, brand) };
    });
