import { type ConfigurationFault, defaultBrand, type MenusPreview } from '@servery/contract';
import { priceChanges } from '../../menus/document/compare.ts';
import {
  MOST_BYTES,
  MOST_ENTRIES,
  MOST_LEVELS,
  type Refusal,
} from '../../menus/document/limits.ts';
import { resolveMenus } from '../../menus/document/resolve.ts';
import { isOfMenus } from '../../menus/document/source.ts';
import { warningsOf } from '../../menus/document/warnings.ts';
import { SHOWN_CHANGES } from '../describe-changes.ts';
import type { DraftedConfiguration, ObjectsByPlace } from '../effective.ts';
import { nameOfObject, placeKey } from '../object-state.ts';

const SHOWN_WARNINGS = 50;

/** What partners will read in the menus, and why it can't be published (MENU-9, MENU-28). */
export function previewMenus(
  restaurantGuid: string,
  { published, drafts }: DraftedConfiguration,
  drafted: ObjectsByPlace,
): { readonly menus: MenusPreview; readonly faults: readonly ConfigurationFault[] } {
  if (!drafts.some(({ collection }) => isOfMenus(collection)))
    return { menus: NOTHING, faults: [] };
  // The time zone is the same in both.
  const restaurant = { brand: defaultBrand, restaurantGuid, timeZone: 'UTC' };
  const before = resolveMenus({ ...restaurant, objects: published.values() });
  const after = resolveMenus({ ...restaurant, objects: drafted.values() });
  if (after.refusal !== null) return { menus: NOTHING, faults: refusalFaults(after.refusal) };
  const old = before.refusal === null ? before : { document: null, text: null };
  const changes = priceChanges(old.document, after.document);
  const warnings = warningsOf(after.document, after.cuts, (collection, guid) => {
    const object = drafted.get(placeKey({ collection, guid }));
    return object ? nameOfObject(object) : null;
  });
  const menus = {
    isChanged: old.text !== after.text,
    priceChanges: changes.slice(0, SHOWN_CHANGES),
    priceChangeCount: changes.length,
    warnings: warnings.slice(0, SHOWN_WARNINGS),
    warningCount: warnings.length,
  };
  return { menus, faults: [] };
}

const NOTHING: MenusPreview = {
  ...{ isChanged: false, priceChanges: [], priceChangeCount: 0 },
  ...{ warnings: [], warningCount: 0 },
};

function refusalFaults(refusal: Refusal): ConfigurationFault[] {
  if (refusal.reason === 'TOO_DEEP') {
    const { collection, guid, name } = refusal;
    const message = `is more than ${MOST_LEVELS} levels deep in the menus; nest less`;
    return [{ collection, guid, name, field: '', message }];
  }
  const size = `${MOST_BYTES / 1_048_576} MiB or ${MOST_ENTRIES} entries`;
  const largest = refusal.largest.map(({ guid, name, entries }) => ({
    ...{ collection: 'menuOptionGroups', guid, name, field: '' },
    message: `takes ${entries} of the entries; use it in fewer places`,
  }));
  const message = `would be larger than ${size} together; offer less in them`;
  return [{ collection: 'menus', guid: null, name: null, field: '', message }, ...largest];
}
