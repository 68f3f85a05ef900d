import { BROUGHT_BACK, COUNTED, FLICKER, guidOf, ODD_OUT } from './contents.ts';
import type { Place } from './fixture.ts';

/** Settings of stock, as both `stock.update` and the back office take them. */
export function settingsAt(
  place: Pick<Place, 'number'>,
  content: number,
  isFirst = false,
): Record<string, unknown>[] {
  const guid = (index: number) => guidOf(place, 'menuItems', index);
  return [
    ...COUNTED.map((index) => ({ guid: guid(index), status: 'QUANTITY', quantity: content })),
    { guid: guid(ODD_OUT), status: content % 2 === 1 ? 'OUT_OF_STOCK' : 'IN_STOCK' },
    // It is out all the time, and seen whenever it is published.
    ...(isFirst ? [{ guid: guid(FLICKER), status: 'OUT_OF_STOCK' }] : []),
  ];
}

/** Takes the item off that the clock brings back at an instant of the environment. */
export function offUntil(place: Pick<Place, 'number'>, until: Date): Record<string, unknown> {
  const guid = guidOf(place, 'menuItems', BROUGHT_BACK);
  return { guid, status: 'OUT_OF_STOCK', until: until.toISOString() };
}
