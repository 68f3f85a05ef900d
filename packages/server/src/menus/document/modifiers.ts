import type { Channel, ModifierGroup, ModifierOption, StoredFields } from '@servery/contract';
import { findCircles } from './circles.ts';
import { goodsOf, visibilityOf } from './goods.ts';
import { type Budget, MOST_LEVELS } from './limits.ts';
import { groupPrice, optionPrice } from './option-price.ts';
import { byGuid, named, type Published, type PublishedObjects } from './source.ts';
import { modifierTaxes } from './taxes.ts';
import { shownWithin } from './visibility.ts';

type Item = Published<'menuItems'>;
type OptionGroup = Published<'menuOptionGroups'>;
type PreModifierGroup = Published<'preModifierGroups'>;
type OptionSetting = StoredFields<'menuOptionGroups'>['optionSettings'][number];

/** What modifier groups hang on: an item of a menu, or an option. */
export interface Host {
  readonly item: Item;
  readonly visibility: readonly Channel[];
  readonly taxRates: readonly string[];
  readonly menuGuid: string;
  /** The sizes of the item, or of the nearest option on the way that has its own. */
  readonly sizes: OptionGroup | null;
  readonly portions: HostPortions;
  /** The items on the way down, this one included, that may come again below. */
  readonly path: readonly string[];
  /** How many levels of modifier groups are above. */
  readonly level: number;
}

/** The portions of the top item, with the groups whose options may go on them (MENU-26). */
export interface HostPortions {
  readonly items: readonly Item[];
  /** Filled when all groups of the item are resolved. */
  groups: readonly GroupInstance[];
}

/** A modifier group as it is in one or more places: one entry of the document (MENU-20). */
export interface GroupInstance {
  readonly id: number;
  readonly group: OptionGroup;
  readonly entry: Pick<
    ModifierGroup,
    | 'visibility'
    | 'pricingStrategy'
    | 'pricingRules'
    | 'minSelections'
    | 'maxSelections'
    | 'requiredMode'
    | 'isMultiSelect'
  >;
  readonly preModifierGroup: PreModifierGroup | null;
  readonly options: readonly OptionInstance[];
  /** The levels of groups from here down, this one included. */
  readonly height: number;
}

export interface OptionInstance {
  readonly id: number;
  readonly item: Item;
  readonly entry: Pick<
    ModifierOption,
    | 'visibility'
    | 'price'
    | 'pricingStrategy'
    | 'pricingRules'
    | 'taxInfo'
    | 'modifierOptionTaxInfo'
    | 'isDefault'
    | 'allowsDuplicates'
  >;
  readonly groups: readonly GroupInstance[];
  /** Those of the place where it was met first: they don't count when options are compared. */
  readonly portions: HostPortions | null;
}

/** An option that leads back to an item above it. */
export interface Cut {
  readonly optionGroup: string;
  readonly item: string;
}

/** Resolves modifier groups where they hang. Equal results are one instance. */
export class Modifiers {
  readonly #objects: PublishedObjects;
  readonly #brand: string;
  readonly #budget: Budget;
  readonly #circles: ReturnType<typeof findCircles>;
  readonly #defaultPreModifiers: PreModifierGroup | null;
  readonly #byContext = new Map<string, GroupInstance>();
  readonly #groups = new Map<string, GroupInstance>();
  readonly #options = new Map<string, OptionInstance>();
  readonly #cuts = new Map<string, Cut>();
  readonly #lengths = new Map<string, number>();

  constructor(objects: PublishedObjects, brand: string, budget: Budget) {
    this.#objects = objects;
    this.#brand = brand;
    this.#budget = budget;
    this.#circles = findCircles(objects);
    const groups = [...objects.preModifierGroups.values()].sort(byGuid);
    this.#defaultPreModifiers = groups.find(({ fields }) => fields.isDefault) ?? null;
  }

  get cuts(): readonly Cut[] {
    return [...this.#cuts.values()];
  }

  /** The path of what hangs on an item: that to the item, and the item if it can come again. */
  pathBelow(item: Item, path: readonly string[] = []): readonly string[] {
    return this.#circles.inside.has(item.guid) && hasGroups(item) ? [...path, item.guid] : path;
  }

  /** MENU-22: the sizes first. A group that is there twice counts at its first place. */
  resolveGroups(
    host: Host,
    sizeGroup: OptionGroup | null,
    references: readonly string[],
  ): GroupInstance[] {
    const groups = named(this.#objects.menuOptionGroups, references).filter(
      (group) => group !== sizeGroup,
    );
    return [
      ...(sizeGroup ? [this.#resolveGroup(host, sizeGroup, true)] : []),
      ...groups.map((group) => this.#resolveGroup(host, group, false)),
    ];
  }

  #resolveGroup(host: Host, group: OptionGroup, isSizes: boolean): GroupInstance {
    const context = this.#contextOf(host, group, isSizes);
    const known = this.#byContext.get(context);
    if (host.level + (known?.height ?? 1) > MOST_LEVELS) {
      this.#budget.refuseDepth('menuOptionGroups', group);
    }
    if (known) return known;
    const settings = new Map(group.fields.optionSettings.map((each) => [each.item, each]));
    const defaults = defaultsOf(host.item, group);
    const options = named(this.#objects.menuItems, group.fields.options).map((item) => {
      const setting = settings.get(item.guid);
      const isDefault = defaults?.has(item.guid) ?? setting?.isDefault ?? false;
      return this.#resolveOption(host, { group, isSizes, item, setting, isDefault });
    });
    const instance = this.#groupOf(host, group, isSizes, options);
    this.#byContext.set(context, instance);
    this.#budget.countContext();
    return instance;
  }

  /** All that the result depends on. */
  #contextOf(host: Host, group: OptionGroup, isSizes: boolean): string {
    const path = this.#circles.leading.has(group.guid) ? [...host.path].sort() : [];
    const defaults = defaultsOf(host.item, group);
    return JSON.stringify([
      ...[group.guid, isSizes, host.menuGuid, host.sizes?.guid],
      ...[host.visibility, host.taxRates, path, defaults && [...defaults]],
    ]);
  }

  #groupOf(
    host: Host,
    group: OptionGroup,
    isSizes: boolean,
    options: readonly OptionInstance[],
  ): GroupInstance {
    const { fields } = group;
    const isMultiSelect = !isSizes && allowsSeveral(fields);
    const preModifierGroup = isSizes ? null : this.#preModifiersOf(fields);
    const price = isSizes ? ORDINARY : groupPrice(fields, host, this.#objects);
    const entry = {
      visibility: visibilityOf(host.visibility, this.#brand),
      ...price,
      minSelections: isSizes ? 1 : fields.minSelections,
      maxSelections: isMultiSelect ? fields.maxSelections : 1,
      requiredMode: isSizes ? ('REQUIRED' as const) : requiredModeOf(fields),
      isMultiSelect,
    };
    const ids = options.map(({ id }) => id);
    const key = JSON.stringify([group.guid, preModifierGroup?.guid, entry, ids]);
    const known = this.#groups.get(key);
    if (known) return known;
    this.#budget.count(key.length, group);
    const below = options.flatMap(({ groups }) => groups.map(({ height }) => height));
    const height = 1 + below.reduce((most, each) => Math.max(most, each), 0);
    const instance = { id: this.#groups.size, group, entry, preModifierGroup, options, height };
    this.#groups.set(key, instance);
    return instance;
  }

  #resolveOption(
    host: Host,
    {
      group,
      isSizes,
      item,
      setting,
      isDefault,
    }: {
      readonly group: OptionGroup;
      readonly isSizes: boolean;
      readonly item: Item;
      readonly setting: OptionSetting | undefined;
      readonly isDefault: boolean;
    },
  ): OptionInstance {
    // Whatever its pricing mode, the options of a size group have prices of their own (MENU-15).
    const priced = isSizes ? { ...group.fields, pricingMode: 'INDIVIDUAL' as const } : group.fields;
    const override = setting?.price ?? null;
    const { sizeGroup, ...price } = optionPrice(priced, item, override, host, this.#objects);
    const visibility = shownWithin(host.visibility, item.fields);
    const taxInfo = modifierTaxes(host.taxRates, item.fields, this.#objects);
    const entry = {
      visibility: visibilityOf(visibility, this.#brand),
      ...price,
      taxInfo: [...host.taxRates],
      modifierOptionTaxInfo: taxInfo,
      isDefault,
      allowsDuplicates: !isSizes && allowsSeveral(group.fields) && !!setting?.allowsDuplicates,
    };
    const below = {
      ...host,
      ...{ item, visibility, taxRates: taxInfo.taxRateGuids, sizes: sizeGroup ?? host.sizes },
      path: this.pathBelow(item, host.path),
      level: host.level + 1,
    };
    const groups = this.#isCut(host, group, item)
      ? []
      : this.resolveGroups(below, sizeGroup, item.fields.optionGroups);
    const key = JSON.stringify([item.guid, entry, groups.map(({ id }) => id)]);
    const known = this.#options.get(key);
    if (known) return known;
    this.#budget.count(key.length + this.lengthOf(item), group);
    const portions = group.fields.portionsEnabled ? host.portions : null;
    const instance = { id: this.#options.size, item, entry, groups, portions };
    this.#options.set(key, instance);
    return instance;
  }

  /** MENU-25. */
  #isCut({ path }: Host, group: OptionGroup, item: Item): boolean {
    if (!path.includes(item.guid)) return false;
    const cut = { optionGroup: group.guid, item: item.guid };
    this.#cuts.set(JSON.stringify(cut), cut);
    return true;
  }

  /** MENU-30. */
  #preModifiersOf({ allowPreModifiers, preModifierGroup }: OptionGroup['fields']) {
    if (!allowPreModifiers) return null;
    // An archived group counts as none (MENU-1).
    const own = this.#objects.preModifierGroups.get(preModifierGroup ?? '');
    return own ?? this.#defaultPreModifiers;
  }

  /** How long the text of an item or option is at least. */
  lengthOf(item: Item): number {
    const known = this.#lengths.get(item.guid);
    if (known !== undefined) return known;
    const length = Buffer.byteLength(JSON.stringify(goodsOf(item, this.#objects)));
    this.#lengths.set(item.guid, length);
    return length;
  }
}

const ORDINARY = { pricingStrategy: 'NONE' as const, pricingRules: null };

function hasGroups({ fields: { optionGroups, pricing } }: Item): boolean {
  return optionGroups.length > 0 || (pricing?.sizeGroup ?? pricing?.priceGroup ?? null) !== null;
}

/** The options of the group that the item includes; null if the group says it. */
function defaultsOf({ fields }: Item, group: OptionGroup): ReadonlySet<string> | null {
  const own = fields.defaultOptions?.filter(({ optionGroup }) => optionGroup === group.guid);
  return own ? new Set(own.map(({ item }) => item)) : null;
}

function allowsSeveral({ isMultiSelect, maxSelections }: OptionGroup['fields']): boolean {
  return isMultiSelect ?? maxSelections !== 1;
}

function requiredModeOf({ requiredMode, minSelections }: OptionGroup['fields']) {
  return requiredMode ?? (minSelections > 0 ? 'REQUIRED' : 'OPTIONAL');
}
