import type { ModifierGroup, SelectionRequest } from '@servery/contract';
import type { Part } from './part.ts';
import type { ReadSelection } from './read-selection.ts';

/**
 * ORD-16: how many options of each group there are, over the item and its portions together. What
 * is left out by its pre-modifier counts for nothing.
 */
export function refuseWrongNumbers(
  part: Part<SelectionRequest>,
  groups: readonly ModifierGroup[],
  modifiers: readonly ReadSelection[],
): void {
  const chosen = modifiers
    .flatMap((each) => (each.selectionType === 'PORTION' ? each.modifiers : each))
    .filter(({ preModifier }) => !takesAway(preModifier));
  for (const group of groups) {
    const ofGroup = chosen.filter(({ optionGroup }) => optionGroup?.guid === group.guid);
    const fault = (message: string) => part.fault(message, 'modifiers');
    const { name, minSelections, maxSelections, requiredMode, isMultiSelect } = group;
    const needed = requiredMode === 'REQUIRED' ? Math.max(minSelections, 1) : minSelections;
    const { length } = ofGroup;
    if (length < needed) fault(`need at least ${needed} of ${name}, but ${length} were sent`);
    if (maxSelections !== null && length > maxSelections) {
      fault(`can have at most ${maxSelections} of ${name}, but ${length} were sent`);
    } else if (!isMultiSelect && length > 1) {
      fault(`can have only one of ${name}, but ${length} were sent`);
    }
    const repeated = Map.groupBy(ofGroup, ({ entry }) => entry?.guid);
    for (const [first, ...others] of repeated.values()) {
      const option = first?.entry;
      if (others.length === 0 || !option) continue;
      if ('allowsDuplicates' in option && option.allowsDuplicates) continue;
      fault(`have ${option.name} of ${name} ${others.length + 1} times: send it once`);
    }
  }
}

export function takesAway(preModifier: ReadSelection['preModifier']): boolean {
  return preModifier?.chargeAsExtra !== true && preModifier?.multiplicationFactor === 0;
}
