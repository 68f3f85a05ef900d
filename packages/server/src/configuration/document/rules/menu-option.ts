import type { MenuOptionGroup, PreModifier, PreModifierGroup } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

export function checkMenuOptionGroup(group: MenuOptionGroup, place: Place): void {
  const { minSelections, maxSelections } = group;
  if (maxSelections !== null && maxSelections < minSelections) {
    place.fault(`must not be less than minSelections, which is ${minSelections}`, 'maxSelections');
  }
}

export function checkPreModifier(preModifier: PreModifier, place: Place): void {
  if (preModifier.scalePrice && preModifier.scaleFactor === null) {
    place.fault('is missing; it is needed when scalePrice is true', 'scaleFactor');
  }
  if (!preModifier.scalePrice && preModifier.basePrice === null) {
    place.fault('is missing; it is needed when scalePrice is false', 'basePrice');
  }
  if (preModifier.scaleFactor !== null && preModifier.scaleFactor < 0) {
    place.fault('must not be negative', 'scaleFactor');
  }
}

export function checkDefaultPreModifierGroup(
  groups: readonly { readonly fields: PreModifierGroup; readonly place: Place }[],
): void {
  let chosen: string | null = null;
  for (const { fields: group, place } of groups) {
    if (!group.isDefault) continue;
    if (chosen !== null) {
      const message = `only one group can be the default, and ${JSON.stringify(chosen)} is it`;
      place.fault(message, 'isDefault');
    }
    chosen ??= group.name;
  }
}
