import type { MenusDocument } from '@servery/contract';
import type { MenuSupplement } from '@servery/pricing';
import type { Database } from '../database/database.ts';
import { findMenus, findMenusMark } from '../menus/store.ts';
import type { PublishedMenus } from './read-order/menu-index.ts';

interface Remembered {
  readonly mark: string;
  readonly characters: number;
  readonly menus: PublishedMenus;
}

/** What documents may take together, as texts. */
const CHARACTERS_REMEMBERED = 32 * 1_048_576;

/**
 * Reads the published menus for orders, parsed once. Each time, the database says whether they are
 * still the newest, so what is remembered is never stale.
 */
export function menusReader({ sql }: Pick<Database, 'sql'>) {
  const remembered = new Map<string, Remembered>();
  return async (restaurantGuid: string): Promise<PublishedMenus | null> => {
    const mark = await findMenusMark(sql, restaurantGuid);
    const known = remembered.get(restaurantGuid);
    remembered.delete(restaurantGuid);
    if (mark === null) return null;
    if (known?.mark === mark) {
      remembered.set(restaurantGuid, known);
      return known.menus;
    }
    const found = await findMenus(sql, restaurantGuid);
    if (!found) return null;
    const menus = {
      document: JSON.parse(found.content) as MenusDocument,
      supplement: JSON.parse(found.supplement) as MenuSupplement,
    };
    remembered.set(restaurantGuid, { mark, characters: found.content.length, menus });
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
