import type { StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { shown } from '../../../document/shown.ts';
import { mostSelectionsOf } from '../option-group.ts';
import type { LiveObjects, Placed } from './live-objects.ts';

type Item = Placed<StoredFields<'menuItems'>>;

/** What an item names must fit it. Archived objects count as not there. */
export function checkItemParts(live: LiveObjects): void {
  for (const item of live.menuItems.values()) {
    checkPortions(item, live);
    checkDefaultOptions(item, live);
  }
}

function checkPortions({ fields, place }: Item, { menuItems }: LiveObjects): void {
  fields.portions.forEach((guid, index) => {
    const portion = menuItems.get(guid)?.fields;
    if (!portion || portion.type === 'PORTION') return;
    const message = `${shown(portion.name)} is not an item of the type PORTION`;
    place.fault(message, 'portions', index);
  });
}

function checkDefaultOptions({ fields, place }: Item, live: LiveObjects): void {
  const defaults = place.at('defaultOptions');
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  fields.defaultOptions?.forEach(({ optionGroup, item }, index) => {
    const group = live.menuOptionGroups.get(optionGroup)?.fields;
    if (!group) return;
    if (!group.options.includes(item)) {
      defaults.fault(`is not one of the options of ${shown(group.name)}`, index, 'item');
    }
    const pair = `${optionGroup} ${item}`;
    if (seen.has(pair)) defaults.fault('is in this list already; keep one', index);
    seen.add(pair);
    counts.set(optionGroup, (counts.get(optionGroup) ?? 0) + 1);
  });
  for (const [guid, count] of counts) {
    const group = live.menuOptionGroups.get(guid)?.fields;
    if (group) checkCount(count, group, defaults);
  }
}

function checkCount(count: number, group: StoredFields<'menuOptionGroups'>, place: Place): void {
  const most = mostSelectionsOf(group);
  if (count <= most) return;
  place.fault(
    `has ${count} options of ${shown(group.name)}, of which at most ${most} can be chosen`,
  );
}
