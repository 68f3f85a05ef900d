import { BackOfficeStock } from './back-office-stock.ts';
import type { CallOptions, DemoCallers } from './client.ts';

/** A call on stock by the back office that is answered by 200, on data made for it. */
export async function sampleStock(callers: DemoCallers, name: string): Promise<CallOptions> {
  const stock = await BackOfficeStock.open(callers);
  const { restaurantGuid } = stock;
  if (name === 'undo') return { params: { restaurantGuid, changeGuid: await stock.change() } };
  const changes = [await stock.nextSetting()];
  return { params: { restaurantGuid }, ...(name === 'set' ? { json: { changes } } : {}) };
}

/** A body of `backOffice.stock.set` with a wrong value (422). */
export const wrongStock = { changes: [{ name: 'Nothing is called so', status: 'OUT_OF_STOCK' }] };

/** A change that cannot be undone anymore (409). */
export async function stockConflict(callers: DemoCallers): Promise<CallOptions> {
  const stock = await BackOfficeStock.open(callers);
  const changeGuid = await stock.change();
  await stock.undo(changeGuid);
  return { params: { restaurantGuid: stock.restaurantGuid, changeGuid } };
}

/** Fills every field of the stock of the back office, and gives each answer to `record`. */
export async function walkStock(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const stock = await BackOfficeStock.open(callers);
  const [one, other, third] = await stock.list();
  if (!one || !other || !third) throw new Error('the demo restaurant has too few items');
  const out = { status: 'OUT_OF_STOCK', until: 'closeOut' };
  await stock.set({ guid: one.guid, status: 'IN_STOCK' }, { guid: other.guid, status: 'IN_STOCK' });
  await stock.set({ guid: one.guid, ...out }, { guid: other.guid, ...out });
  const items = await stock.set({ guid: one.guid, status: 'QUANTITY', quantity: 2.5 });
  const [change] = await stock.history({ item: one.guid });
  await stock.undo(String(change?.guid));
  await stock.set({ guid: one.guid, status: 'QUANTITY', quantity: 2.5 });
  record('StockItem[]', items);
  record('StockItem[]', await stock.list());
  const { client, restaurantGuid } = stock;
  for (const [name, type] of [
    ['list', 'StockItemPage'],
    ['history', 'StockChangePage'],
    ['ranOut', 'RanOutPage'],
  ]) {
    const options = { params: { restaurantGuid }, query: { pageSize: 1 } };
    record(String(type), (await client.call(`backOffice.stock.${name}`, 200, options)).json);
  }
  record('StockChange[]', await stock.history());
  record('RanOutPage', await stock.ranOut());
}
