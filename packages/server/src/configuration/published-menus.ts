import { type MadeMenus, makeMenus } from '../menus/make-menus.ts';
import type { ObjectContents } from './document/contents.ts';
import { deriveMultiLocationId } from './document/identity.ts';
import type { RestaurantHead } from './publication-store.ts';

/** Throws what `makeMenus` throws. */
export function menusOf(
  restaurant: Pick<RestaurantHead, 'guid' | 'timeZone'>,
  objects: Iterable<ObjectContents>,
): MadeMenus {
  return makeMenus(restaurant, withMultiLocationIds(objects));
}

/** Only items are stored with one. */
function* withMultiLocationIds(objects: Iterable<ObjectContents>): Generator<ObjectContents> {
  for (const object of objects) {
    const multiLocationId = object.multiLocationId ?? deriveMultiLocationId(object.guid);
    yield { ...object, multiLocationId };
  }
}
