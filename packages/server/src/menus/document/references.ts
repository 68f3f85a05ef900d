import type {
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  ResolvedPreModifier,
} from '@servery/contract';
import { buttonOf, goodsOf, identityOf, labelOf, nameAndGuidOf } from './goods.ts';
import type { GroupInstance, HostPortions, OptionInstance } from './modifiers.ts';
import { byGuid, type Published, type PublishedObjects } from './source.ts';

type Maps = Pick<
  MenusDocument,
  'modifierGroupReferences' | 'modifierOptionReferences' | 'preModifierGroupReferences'
>;

/** Numbers instances at their first meeting and makes the maps of the document (MENU-21). */
export class References {
  readonly #objects: PublishedObjects;
  readonly #preModifiers: ReadonlyMap<string, readonly Published<'preModifiers'>[]>;
  readonly #groups = new Map<GroupInstance, number>();
  readonly #options = new Map<OptionInstance, number>();
  readonly #preModifierGroups = new Map<Published<'preModifierGroups'>, number>();
  #last = 0;

  constructor(objects: PublishedObjects) {
    this.#objects = objects;
    const preModifiers = [...objects.preModifiers.values()].sort(byGuid);
    this.#preModifiers = Map.groupBy(preModifiers, ({ fields }) => fields.parent ?? '');
  }

  /** Numbers groups with all that hangs on them, depth first. */
  numbersOf(groups: readonly GroupInstance[]): number[] {
    return groups.map((group) => {
      const known = this.#groups.get(group);
      if (known !== undefined) return known;
      const number = this.#next();
      this.#groups.set(group, number);
      if (group.preModifierGroup && !this.#preModifierGroups.has(group.preModifierGroup)) {
        this.#preModifierGroups.set(group.preModifierGroup, this.#next());
      }
      for (const option of group.options) {
        if (this.#options.has(option)) continue;
        this.#options.set(option, this.#next());
        this.numbersOf(option.groups);
      }
      return number;
    });
  }

  /** The portions of an item whose groups are numbered. */
  portionsOf({ items, groups }: HostPortions) {
    const enabled = groups.filter(({ group }) => group.fields.portionsEnabled);
    return items.map(({ guid, fields }) => ({
      name: fields.name,
      guid,
      modifierGroupReferences: this.numbersOf(enabled),
      priceScaleFactor: fields.priceMultiplier,
    }));
  }

  maps(): Maps {
    return {
      modifierGroupReferences: mapOf(this.#groups, (one, id) => this.#groupEntry(one, id)),
      modifierOptionReferences: mapOf(this.#options, (one, id) => this.#optionEntry(one, id)),
      preModifierGroupReferences: mapOf(this.#preModifierGroups, (group, referenceId) => ({
        referenceId,
        ...nameAndGuidOf(group),
        preModifiers: (this.#preModifiers.get(group.guid) ?? []).map(preModifierEntry),
      })),
    };
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }

  #groupEntry({ group, entry, ...rest }: GroupInstance, referenceId: number): ModifierGroup {
    const { defaultOptionsChargePrice, defaultOptionsSubstitutionPricing } = group.fields;
    const { preModifierGroup, options } = rest;
    return {
      ...identityOf(group),
      referenceId,
      ...buttonOf(group),
      ...entry,
      ...{ defaultOptionsChargePrice, defaultOptionsSubstitutionPricing },
      preModifierGroupReference:
        (preModifierGroup && this.#preModifierGroups.get(preModifierGroup)) ?? null,
      modifierOptionReferences: options.map((option) => this.#options.get(option) ?? 0),
    };
  }

  #optionEntry({ item, entry, groups, portions }: OptionInstance, id: number): ModifierOption {
    const { unitOfMeasure, inheritUnitOfMeasure, salesCategory } = item.fields;
    return {
      ...goodsOf(item, this.#objects),
      referenceId: id,
      ...entry,
      unitOfMeasure: inheritUnitOfMeasure ? 'NONE' : unitOfMeasure,
      portions: portions ? this.portionsOf(portions) : [],
      salesCategory: this.#categoryOf(salesCategory),
      modifierGroupReferences: this.numbersOf(groups),
    };
  }
  #categoryOf(guid: string | null) {
    const found = this.#objects.salesCategories.get(guid ?? '');
    return found ? labelOf(found) : null;
  }
}

function mapOf<Instance, Entry>(
  numbers: ReadonlyMap<Instance, number>,
  entryOf: (instance: Instance, referenceId: number) => Entry,
): Record<string, Entry> {
  return Object.fromEntries(
    [...numbers].map(([instance, number]) => [number, entryOf(instance, number)]),
  );
}

/** MENU-30. */
function preModifierEntry(preModifier: Published<'preModifiers'>): ResolvedPreModifier {
  const { scalePrice, basePrice, scaleFactor, ...fields } = preModifier.fields;
  const { displayMode, chargeAsExtra, plu } = fields;
  const isScaled = scalePrice && scaleFactor !== null;
  return {
    ...nameAndGuidOf(preModifier),
    fixedPrice: isScaled ? null : scalePrice ? 0 : (basePrice ?? 0),
    multiplicationFactor: isScaled ? scaleFactor : null,
    displayMode,
    ...buttonOf(preModifier),
    chargeAsExtra,
    plu,
  };
}
