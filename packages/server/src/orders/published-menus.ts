import type { MenusDocument } from '@servery/contract';
import type { MenuSupplement } from '@servery/pricing';
import type { Database } from '../database/database.ts';
import { findMenus } from '../menus/store.ts';
import { listMenuExternalIds, type PublishedRestaurant } from './published-store.ts';
import type { PublishedMenus } from './read-order/menu-index.ts';

interface Remembered {
  readonly mark: string;
  readonly characters: number;
  readonly menus: PublishedMenus;
}

/** What documents may take together, as texts. */
const CHARACTERS_REMEMBERED = 32 * 1_048_576;

/**
 * Reads the published menus for orders, parsed once. Nothing of them changes without the publish
 * number of the restaurant or their digest, so what is remembered is as new as the restaurant.
 */
export function menusReader({ sql }: Pick<Database, 'sql'>) {
  const remembered = new Map<string, Remembered>();
  return async ({
    guid,
    publishNumber,
    menusDigest,
  }: PublishedRestaurant): Promise<PublishedMenus | null> => {
    const mark = `${publishNumber} ${menusDigest}`;
    const known = remembered.get(guid);
    remembered.delete(guid);
    if (menusDigest === null) return null;
    if (known?.mark === mark) {
      remembered.set(guid, known);
      return known.menus;
    }
    const [found, named] = await Promise.all([
      findMenus(sql, guid),
      listMenuExternalIds(sql, guid),
    ]);
    if (!found) return null;
    const menus = {
      document: JSON.parse(found.content) as MenusDocument,
      supplement: JSON.parse(found.supplement) as MenuSupplement,
      externalIds: new Map(named.map((one) => [one.guid, one.externalId])),
    };
    remembered.set(guid, { mark, characters: found.content.length, menus });
    forgetOldest(remembered);
    return menus;
  };
}

function forgetOldest(remembered: Map<string, Remembered>): void {
  let characters = remembered.values().reduce((sum, one) => sum + one.characters, 0);
  for (const [restaurantGuid, one] of remembered) {
    if (characters <= CHARACTERS_REMEMBERED || remembered.size === 1) return;
    remembered.delete(restaurantGuid);
    characters -= one.characters;
  }
}
