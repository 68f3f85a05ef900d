import type { StoredFields } from '@servery/contract';

type Selections = Pick<
  StoredFields<'menuOptionGroups'>,
  'minSelections' | 'maxSelections' | 'requiredMode' | 'isMultiSelect'
>;

/** When nobody says it, it follows from the numbers. */
export function requiredModeOf({ requiredMode, minSelections }: Selections) {
  return requiredMode ?? (minSelections > 0 ? 'REQUIRED' : 'OPTIONAL');
}

export function isMultiSelectOf({ isMultiSelect, maxSelections }: Selections): boolean {
  return isMultiSelect ?? maxSelections !== 1;
}

/** Infinity for no limit. */
export function mostSelectionsOf(group: Selections): number {
  if (!isMultiSelectOf(group)) return Math.min(1, group.maxSelections ?? 1);
  return group.maxSelections ?? Number.POSITIVE_INFINITY;
}
