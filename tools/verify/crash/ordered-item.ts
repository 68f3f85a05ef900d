import type { DiningOption, MenuItemInventory, MenusDocument } from '@servery/contract';
import { brandedHeaders, operationById } from '@servery/contract';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import type { Caller } from './caller.ts';

/** What guests order at a restaurant: one item, which is counted. */
export interface OrderedItem {
  readonly merchantGuid: string;
  readonly itemGuid: string;
  readonly itemGroupGuid: string;
  readonly diningOptionGuid: string;
}

/** More than the guests of a run can order. */
export const PLENTY = 1_000_000;

const LIMIT_MS = 30_000;

/**
 * Finds an item that is ordered without modifiers at each restaurant. From now on it is counted,
 * and so many of it are left.
 */
export async function countItems(
  partner: Caller,
  { server, demo }: { readonly server: string; readonly demo: DemoFile },
  restaurantGuids: readonly string[],
  quantity = PLENTY,
): Promise<OrderedItem[]> {
  const header = brandedHeaders(demo.brand).restaurantExternalId;
  const ask = async <Result>(merchantGuid: string, id: AskedId, json?: unknown) => {
    const { method, path } = operationById(id);
    const headers = { [header]: merchantGuid };
    const call = { server, method: method as 'GET' | 'PUT', path, headers, limitMs: LIMIT_MS };
    const answer = await partner({ ...call, ...(json !== undefined && { json }) });
    if (answer?.status !== 200) throw new Error(`${id}: ${answer?.status} ${answer?.text}`);
    return JSON.parse(answer.text ?? '') as Result;
  };
  return await Promise.all(
    restaurantGuids.map(async (merchantGuid) => {
      const { menus } = await ask<MenusDocument>(merchantGuid, 'menus.get');
      const found = menus
        .flatMap(({ menuGroups }) => menuGroups)
        .flatMap((group) => group.menuItems.map((item) => ({ group, item })))
        .find(({ item }) => item.price !== null && item.modifierGroupReferences.length === 0);
      const options = await ask<DiningOption[]>(merchantGuid, 'configuration.diningOptions.list');
      const dineIn = options.find(({ behavior }) => behavior === 'DINE_IN');
      if (!found || !dineIn) throw new Error(`${merchantGuid} has nothing to order`);
      const { guid } = found.item;
      const level = [{ guid, status: 'QUANTITY', quantity }];
      await ask<MenuItemInventory[]>(merchantGuid, 'stock.update', level);
      return {
        merchantGuid,
        itemGuid: guid,
        itemGroupGuid: found.group.guid,
        diningOptionGuid: dineIn.guid,
      };
    }),
  );
}

type AskedId = 'menus.get' | 'configuration.diningOptions.list' | 'stock.update';

/** An order of one item, paid by a card or not at all. */
export function orderBody(
  item: OrderedItem,
  externalId: string,
  payment: {
    readonly paymentUuid: string;
    readonly amount: number;
    readonly tipAmount: number;
  } | null,
) {
  const { itemGuid, itemGroupGuid, diningOptionGuid } = item;
  const payments = payment
    ? [
        {
          type: 'CREDIT',
          guid: payment.paymentUuid,
          amount: payment.amount,
          tipAmount: payment.tipAmount,
        },
      ]
    : [];
  const selections = [{ item: { guid: itemGuid }, itemGroup: { guid: itemGroupGuid } }];
  return {
    externalId,
    diningOption: { guid: diningOptionGuid },
    checks: [{ selections, payments }],
  };
}
