import { defaultBrand } from '@servery/contract';
import { withAllFields } from '../configuration/document/stored-object.ts';
import { FaultList } from '../document/faults.ts';
import { refusalFaults } from '../menus/document/refusal-faults.ts';
import { resolveMenus } from '../menus/document/resolve.ts';
import type { GroupContents, RestaurantContents } from './contents.ts';
import { parseDocument } from './parse.ts';
import { invalidDocument, readGroupDocument } from './read-document.ts';

/**
 * Finds what reading finds, and menus that cannot be published, so that an import is refused before
 * it writes, with the place of the fault. Takes longer than reading.
 * Throws InvalidGroupDocument with every fault and its line and column.
 */
export function checkGroupDocument(source: string | Uint8Array): GroupContents {
  const contents = readGroupDocument(source);
  const faults = new FaultList();
  for (const [index, restaurant] of contents.restaurants.entries()) {
    for (const { path, message } of menuFaults(restaurant)) {
      faults.add(['restaurants', index, 'configuration', ...path], message);
    }
  }
  if (faults.count > 0) throw invalidDocument(parseDocument(source).text, faults);
  return contents;
}

function menuFaults({ guid, info, objects }: RestaurantContents) {
  const { refusal } = resolveMenus({
    ...{ brand: defaultBrand, restaurantGuid: guid, timeZone: info.general.timeZone },
    objects: objects.map(withAllFields),
  });
  if (refusal === null) return [];
  return refusalFaults(refusal).map(({ collection, guid: faulty, message }) => {
    const ofKind = objects.filter((object) => object.collection === collection);
    const at = ofKind.findIndex((object) => object.guid === faulty);
    return { path: at === -1 ? [collection] : [collection, at], message };
  });
}
