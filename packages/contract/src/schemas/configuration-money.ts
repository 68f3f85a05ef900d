import type { Static } from 'typebox';
import { platformDestination } from '../brand.ts';
import {
  answer,
  choice,
  decimal,
  flag,
  identifier,
  limits,
  line,
  list,
  orNull,
  text,
} from './field.ts';
import { externallyReferenced, referenced } from './reference.ts';
import { Type } from './type.ts';

export const AlternatePaymentType = externallyReferenced(
  'AlternatePaymentType',
  'A form of payment that is not built into the point of sale.',
  { name: line('Name of the form of payment.') },
);
export type AlternatePaymentType = Static<typeof AlternatePaymentType>;

export const PromoCode = referenced('PromoCode', 'A code that a guest enters for a discount.', {
  code: identifier('What the guest enters.'),
  name: line('Name of the code.'),
  usageType: choice(
    'SINGLE_USE_PHONE: once per phone number. SINGLE_USE_UNIQUE_CODE: once. MULTI_USE: any ' +
      'number of times.',
    ['SINGLE_USE_PHONE', 'SINGLE_USE_UNIQUE_CODE', 'MULTI_USE'],
    { default: 'MULTI_USE' },
  ),
});
export type PromoCode = Static<typeof PromoCode>;

export const Discount = referenced(
  'Discount',
  'A discount. Discounts apply before taxes are calculated.',
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
      decimal('Percentage taken off, for percentage discounts; otherwise null.', {
        exclusiveMinimum: 0,
        maximum: 100,
      }),
    ),
    amount: orNull(
      decimal('Amount taken off in currency units, for fixed discounts; otherwise null.', {
        exclusiveMinimum: 0,
      }),
    ),
    selectionType: choice('What the discount applies to.', ['CHECK', 'ITEM', 'BOGO']),
    nonExclusive: flag(
      'Whether it can be combined with other discounts. Always false for item and combo ' +
        'discounts.',
      { default: false },
    ),
    itemPickingPriority: orNull(
      choice('Which item the discount applies to if several qualify.', [
        'FIRST',
        'LEAST_EXPENSIVE',
        'MOST_EXPENSIVE',
      ]),
    ),
    fixedTotal: orNull(decimal('Price of the combo in currency units; null for other discounts.')),
    promoCodes: list(PromoCode, 'Codes for this discount; empty if there are none.', {
      default: [],
      ...limits.parts,
    }),
  },
);
export type Discount = Static<typeof Discount>;

export const ConditionalTaxRate = answer(
  'A rate that replaces the default rate in one situation.',
  {
    condition: text('A description of the situation.', limits.words),
    rate: decimal('The rate in that situation, as a fraction: 0.05 is five percent.'),
  },
);
export type ConditionalTaxRate = Static<typeof ConditionalTaxRate>;

export const TaxTableRow = answer('The tax for one range of sale amounts.', {
  start: decimal('First amount of the range (inclusive), in currency units.'),
  end: decimal('Last amount of the range (inclusive), in currency units.'),
  tax: decimal('Tax for the range, in currency units.'),
  pattern: flag('True if the range belongs to a pattern that repeats beyond the table.'),
});
export type TaxTableRow = Static<typeof TaxTableRow>;

export const TaxRate = referenced('TaxRate', 'A tax.', {
  name: line('Name of the tax.'),
  isDefault: flag('Whether it applies by default.', { default: false }),
  rate: orNull(
    decimal(
      'PERCENT: a fraction, 0.07 is seven percent. FIXED: an amount in currency units. ' +
        'Otherwise null.',
    ),
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
  taxTable: list(TaxTableRow, 'The rows of a TABLE tax, in ascending order; otherwise empty.', {
    default: [],
    ...limits.parts,
  }),
  conditionalTaxRates: list(
    ConditionalTaxRate,
    'Rates that replace the default rate in certain situations; empty if there are none.',
    { default: [], ...limits.parts },
  ),
});
export type TaxRate = Static<typeof TaxRate>;

export const ServiceChargeCriteria = answer('When the charge is added automatically.', {
  minCheckAmount: orNull(decimal('Smallest check amount, in currency units; null for no limit.')),
  maxCheckAmount: orNull(decimal('Largest check amount, in currency units; null for no limit.')),
  delivery: flag('Whether it applies to delivery orders.', { default: false }),
  minDeliveryDistance: orNull(
    decimal(
      'Smallest delivery distance, in the distance unit of the country; null for any ' +
        'distance.',
    ),
  ),
  takeout: flag('Whether it applies to takeout orders.', { default: false }),
  dineIn: flag('Whether it applies to dine-in orders.', { default: false }),
});
export type ServiceChargeCriteria = Static<typeof ServiceChargeCriteria>;

export const ServiceCharge = externallyReferenced('ServiceCharge', 'An amount added to a check.', {
  name: line('Name of the charge.'),
  amountType: choice(
    'FIXED: a fixed amount. PERCENT: a percentage of the check. OPEN: entered at the ' +
      'time of sale.',
    ['FIXED', 'PERCENT', 'OPEN'],
  ),
  amount: orNull(decimal('The charge in currency units if amountType is FIXED; otherwise null.')),
  percent: orNull(decimal('The charge in percent if amountType is PERCENT; otherwise null.')),
  criteria: ServiceChargeCriteria,
  gratuity: flag('Whether it is a gratuity for the staff.', { default: false }),
  taxable: flag('Whether taxes are calculated on it.', { default: false }),
  applicableTaxes: list(TaxRate, 'The taxes on it; empty if there are none.', {
    default: [],
    ...limits.parts,
  }),
  serviceChargeCalculation: orNull(
    choice('Whether a percentage applies before or after discounts; null unless PERCENT.', [
      'PRE_DISCOUNT',
      'POST_DISCOUNT',
    ]),
  ),
  destination: choice(
    'Who gets the charge.',
    ['RESTAURANT', 'SERVER', platformDestination, 'THIRD_PARTY'],
    { default: 'RESTAURANT' },
  ),
  taxInclusive: flag('Whether the charge already includes its taxes.', { default: false }),
  taxProrated: flag('Whether its tax is prorated by the taxes of the items on the check.', {
    default: false,
  }),
});
export type ServiceCharge = Static<typeof ServiceCharge>;

export const TipWithholding = referenced(
  'TipWithholding',
  'The share of credit card tips that the restaurant withholds.',
  {
    enabled: flag('Whether tips are withheld. If false, the percentage does not matter.', {
      default: false,
    }),
    percentage: Type.Number({
      description: 'The share that is withheld, as a fraction: 0.03 is three percent.',
      format: 'double',
      minimum: 0,
      maximum: 1,
      default: 0,
    }),
  },
);
export type TipWithholding = Static<typeof TipWithholding>;
