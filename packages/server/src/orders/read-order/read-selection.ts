import type {
  ModifierGroup,
  ModifierOption,
  ResolvedMenuGroup,
  ResolvedMenuItem,
  ResolvedPreModifier,
  SelectionRequest,
} from '@servery/contract';
import type { NamedReference } from '../order.ts';
import type { Part } from './part.ts';
import type { ReadDiscount } from './read-discounts.ts';

export interface ReadSelection {
  readonly part: Part<SelectionRequest>;
  readonly externalId: string | null;
  readonly selectionType: 'NONE' | 'SPECIAL_REQUEST' | 'PORTION';
  readonly quantity: number;
  /** The item of a selection, the option of a modifier, or the portion. */
  readonly entry: ResolvedMenuItem | ModifierOption | null;
  readonly portion: { readonly guid: string; readonly name: string } | null;
  readonly itemGroup: ResolvedMenuGroup | null;
  readonly optionGroup: ModifierGroup | null;
  readonly preModifier: ResolvedPreModifier | null;
  readonly displayName: string | null;
  readonly diningOption: NamedReference | null;
  readonly openPriceAmount: number | null;
  readonly deferred: boolean;
  readonly appliedDiscounts: readonly ReadDiscount[];
  readonly splitOrigin: unknown;
  readonly modifiers: readonly ReadSelection[];
}
