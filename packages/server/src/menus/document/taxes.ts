import type { StoredFields } from '@servery/contract';
import { byGuid, named, type PublishedObjects } from './source.ts';

/** How something is taxed, as far as it doesn't say otherwise (MENU-16). */
export interface Taxes {
  readonly taxRates: readonly string[];
  readonly taxInclusion: 'TAX_INCLUDED' | 'TAX_NOT_INCLUDED' | 'SMART_TAX';
}

type Taxed = Pick<StoredFields<'menuItems'>, 'taxRates' | 'taxInclusion'>;

/** Above all menus. */
export function defaultTaxes({ taxRates }: PublishedObjects): Taxes {
  const rates = [...taxRates.values()].filter(({ fields }) => fields.isDefault);
  return {
    taxRates: rates.sort(byGuid).map(({ guid }) => guid),
    taxInclusion: 'TAX_NOT_INCLUDED',
  };
}

export function taxesWithin(
  above: Taxes,
  { taxRates, taxInclusion }: Taxed,
  objects: PublishedObjects,
): Taxes {
  return {
    taxRates: taxRates === null ? above.taxRates : liveRates(taxRates, objects),
    taxInclusion: taxInclusion ?? above.taxInclusion,
  };
}

/** What a modifier is taxed at, on something with the rates of `host` (MENU-17). */
export function modifierTaxes(
  host: readonly string[],
  item: StoredFields<'menuItems'>,
  objects: PublishedObjects,
): { readonly taxRateGuids: string[]; readonly overrideItemTaxRates: boolean } {
  const { modifierTaxBehavior, taxRates } = item;
  return {
    taxRateGuids:
      modifierTaxBehavior === 'INHERIT' ? [...host] : liveRates(taxRates ?? [], objects),
    overrideItemTaxRates: modifierTaxBehavior === 'OVERRIDE',
  };
}

function liveRates(references: readonly string[], { taxRates }: PublishedObjects): string[] {
  return named(taxRates, references).map(({ guid }) => guid);
}
