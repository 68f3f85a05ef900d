import { type Answers, renewableAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { levelOf, validElement } from '../items.ts';
import { listStock } from '../store.ts';

export interface ListStockDeps {
  readonly answers: Answers;
}

export const listStockHandler =
  ({ answers }: ListStockDeps): HandlerOf<'stock.list'> =>
  ({ restaurant: { guid }, query: { status } }) => {
    const subjects = [`stock:${guid}`, `configuration:${guid}`] as const;
    return renewableAnswer(answers, ['stock', guid, status], subjects, async (sql, sight) => {
      const items = await listStock(sql, guid, status, sight);
      return { json: items.map((item) => validElement(item, levelOf(item))) };
    });
  };
