import type { Static } from 'typebox';
import { platformDestination } from '../brand.ts';
import { answer, choice, decimal, flag, limits, line, list, orNull, text } from './field.ts';
import { externallyReferenced, referenced } from './reference.ts';
import { Type } from './type.ts';

export const AlternatePaymentType = externallyReferenced(
  'AlternatePaymentType',
  'A form of payment beside those that the point of sale knows by itself.',
  { name: line('Name of the form of payment.') },
);
export type AlternatePaymentType = Static<typeof AlternatePaymentType>;

export const PromoCode = referenced('PromoCode', 'A code that a guest enters for a discount.', {
  code: line('What the guest enters.'),
  name: line('Name of the code.'),
  usageType: choice(
    'SINGLE_USE_PHONE: once per telephone number. SINGLE_USE_UNIQUE_CODE: once. MULTI_USE: any ' +
      'number of times.',
    ['SINGLE_USE_PHONE', 'SINGLE_USE_UNIQUE_CODE', 'MULTI_USE'],
    { default: 'MULTI_USE' },
  ),
});
export type PromoCode = Static<typeof PromoCode>;

export const Discount = referenced(
  'Discount',
  'A discount. Discounts apply after service charges and before taxes are calculated.',
  {
    name: line('Name of the discount.'),
    active: flag('Whether it can be used now.', { default: true }),
    type: choice('How the discount is calculated.', [
      'PERCENT',
      'FIXED',
      'OPEN_PERCENT',
      'OPEN_FIXED',
      'BOGO',
      'FIXED_TOTAL',
    ]),
    percentage: orNull(
      decimal('Percent taken off, for discounts by percent; else null.', {
        exclusiveMinimum: 0,
        maximum: 100,
      }),
    ),
    amount: orNull(
      decimal('Amount taken off in currency units, for fixed discounts; else null.', {
        exclusiveMinimum: 0,
      }),
    ),
    selectionType: choice('What the discount is put on.', ['CHECK', 'ITEM', 'BOGO']),
    nonExclusive: flag(
      'Whether it goes together with other discounts; always false for item and combo discounts.',
      { default: false },
    ),
    itemPickingPriority: orNull(
      choice('Which item the discount takes when several would do.', [
        'FIRST',
        'LEAST_EXPENSIVE',
        'MOST_EXPENSIVE',
      ]),
    ),
    fixedTotal: orNull(decimal('Price of the combo in currency units; null for the others.')),
    promoCodes: list(PromoCode, 'Codes for this discount; empty when there are none.', {
      default: [],
      ...limits.parts,
    }),
  },
);
export type Discount = Static<typeof Discount>;

export const ConditionalTaxRate = answer('A rate that replaces the default in one situation.', {
  condition: text('The situation in words.', limits.words),
  rate: decimal('The rate in that situation, as a fraction: 0.05 is five percent.'),
});
export type ConditionalTaxRate = Static<typeof ConditionalTaxRate>;

export const TaxTableRow = answer('The tax for one range of sale amounts.', {
  start: decimal('First amount of the closed range, in currency units.'),
  end: decimal('Last amount of the closed range, in currency units.'),
  tax: decimal('Tax for the range, in currency units.'),
  pattern: flag('True when the range belongs to a pattern that repeats beyond the table.'),
});
export type TaxTableRow = Static<typeof TaxTableRow>;

export const TaxRate = referenced('TaxRate', 'A tax.', {
  name: line('Name of the tax.'),
  isDefault: flag('Whether it applies where nothing else is said.', { default: false }),
  rate: orNull(
    decimal('PERCENT: a fraction, 0.07 is seven percent. FIXED: currency units. Else null.'),
  ),
  type: choice('How the tax is calculated.', ['PERCENT', 'FIXED', 'TABLE', 'NONE', 'EXTERNAL'], {
    default: 'PERCENT',
  }),
  roundingType: orNull(
    choice('How the tax is rounded; null unless type is PERCENT.', [
      'HALF_UP',
      'HALF_EVEN',
      'ALWAYS_UP',
      'ALWAYS_DOWN',
    ]),
  ),
  taxTable: list(TaxTableRow, 'The rows of a TABLE tax, ascending; else empty.', {
    default: [],
    ...limits.parts,
  }),
  conditionalTaxRates: list(
    ConditionalTaxRate,
    'Rates that replace the default in situations; empty when there are none.',
    { default: [], ...limits.parts },
  ),
});
export type TaxRate = Static<typeof TaxRate>;

export const ServiceChargeCriteria = answer('When the charge is added by itself.', {
  minCheckAmount: orNull(decimal('Smallest check, in currency units; null without a limit.')),
  maxCheckAmount: orNull(decimal('Largest check, in currency units; null without a limit.')),
  delivery: flag('Whether it applies to delivery orders.', { default: false }),
  minDeliveryDistance: orNull(
    decimal('Smallest delivery distance, in the distance unit of the country; null for any.'),
  ),
  takeout: flag('Whether it applies to takeout orders.', { default: false }),
  dineIn: flag('Whether it applies to dine-in orders.', { default: false }),
});
export type ServiceChargeCriteria = Static<typeof ServiceChargeCriteria>;

export const ServiceCharge = externallyReferenced('ServiceCharge', 'An amount added to a check.', {
  name: line('Name of the charge.'),
  amountType: choice('FIXED: amount. PERCENT: percent of the check. OPEN: entered at the time.', [
    'FIXED',
    'PERCENT',
    'OPEN',
  ]),
  amount: orNull(decimal('The charge in currency units when amountType is FIXED; else null.')),
  percent: orNull(decimal('The charge in percent when amountType is PERCENT; else null.')),
  criteria: ServiceChargeCriteria,
  gratuity: flag('Whether it is a gratuity for the staff.', { default: false }),
  taxable: flag('Whether taxes are calculated on it.', { default: false }),
  applicableTaxes: list(TaxRate, 'The taxes on it; empty when there are none.', {
    default: [],
    ...limits.parts,
  }),
  serviceChargeCalculation: orNull(
    choice('Whether percents are taken before or after discounts; null unless PERCENT.', [
      'PRE_DISCOUNT',
      'POST_DISCOUNT',
    ]),
  ),
  destination: choice(
    'Who gets the charge.',
    ['RESTAURANT', 'SERVER', platformDestination, 'THIRD_PARTY'],
    { default: 'RESTAURANT' },
  ),
  taxInclusive: flag('Whether the charge already holds its taxes.', { default: false }),
  taxProrated: flag('Whether its tax follows the taxes of the items on the check.', {
    default: false,
  }),
});
export type ServiceCharge = Static<typeof ServiceCharge>;

export const TipWithholding = referenced(
  'TipWithholding',
  'What the restaurant keeps back of credit card tips.',
  {
    enabled: flag('When false nothing is kept back, whatever the percentage.', { default: false }),
    percentage: Type.Number({
      description: 'Share that is kept back, as a fraction: 0.03 is three percent.',
      format: 'double',
      minimum: 0,
      maximum: 1,
      default: 0,
    }),
  },
);
export type TipWithholding = Static<typeof TipWithholding>;
