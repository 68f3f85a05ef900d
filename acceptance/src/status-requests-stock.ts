import { StockDesk } from './back-office-stock.ts';
import type { CallOptions, DemoCallers } from './client.ts';

/** A call on stock by the back office that is answered by 200, on data made for it. */
export async function sampleStock(callers: DemoCallers, name: string): Promise<CallOptions> {
  const desk = await StockDesk.open(callers);
  const { restaurantGuid } = desk;
  if (name === 'undo') return { params: { restaurantGuid, changeGuid: await desk.change() } };
  const changes = [await desk.nextSetting()];
  return { params: { restaurantGuid }, ...(name === 'set' ? { json: { changes } } : {}) };
}

/** A body of `backOffice.stock.set` with a wrong value (422). */
export const wrongStock = { changes: [{ name: 'Nothing is called so', status: 'OUT_OF_STOCK' }] };

/** A change that cannot be undone any more (409). */
export async function stockConflict(callers: DemoCallers): Promise<CallOptions> {
  const desk = await StockDesk.open(callers);
  const changeGuid = await desk.change();
  await desk.undo(changeGuid);
  return { params: { restaurantGuid: desk.restaurantGuid, changeGuid } };
}

/** Fills every field of the stock of the back office, and gives each answer to `record`. */
export async function walkStock(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const desk = await StockDesk.open(callers);
  const [one, other, third] = await desk.list();
  if (!one || !other || !third) throw new Error('the demo restaurant has too few items');
  const out = { status: 'OUT_OF_STOCK', until: 'closeOut' };
  await desk.set({ guid: one.guid, status: 'IN_STOCK' }, { guid: other.guid, status: 'IN_STOCK' });
  await desk.set({ guid: one.guid, ...out }, { guid: other.guid, ...out });
  const items = await desk.set({ guid: one.guid, status: 'QUANTITY', quantity: 2.5 });
  const [change] = await desk.history({ item: one.guid });
  await desk.undo(String(change?.guid));
  await desk.set({ guid: one.guid, status: 'QUANTITY', quantity: 2.5 });
  record('StockItem[]', items);
  record('StockItem[]', await desk.list());
  const { client, restaurantGuid } = desk;
  for (const [name, type] of [
    ['list', 'StockItemPage'],
    ['history', 'StockChangePage'],
    ['ranOut', 'RanOutPage'],
  ]) {
    const options = { params: { restaurantGuid }, query: { pageSize: 1 } };
    record(String(type), (await client.call(`backOffice.stock.${name}`, 200, options)).json);
  }
  record('StockChange[]', await desk.history());
  record('RanOutPage', await desk.ranOut());
}
