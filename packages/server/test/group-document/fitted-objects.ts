import type { CollectionName } from '@servery/contract';

type Fields = Record<string, unknown>;

/** Changes the fields of a random object so that they go together, as the rules want it. */
export function fitted(collection: CollectionName, fields: Fields): Fields {
  const named = 'name' in fields ? { ...fields, name: `N${String(fields.name)}` } : fields;
  return (fits[collection] ?? ((same: Fields) => same))(named);
}

/** Channels would have to agree with the fields that they replace. */
function shownFields({ visibility, orderableOnline, ...fields }: Fields): Fields {
  const deprecated = { visibility, orderableOnline };
  const taxInclusion = fields.taxInclusion === 'TAX_INCLUDED' ? null : fields.taxInclusion;
  const known = Object.entries(deprecated).filter(([, value]) => value !== undefined);
  const own = taxInclusion === undefined ? fields : { ...fields, taxInclusion };
  return (fields.channels ?? null) === null ? { ...own, ...Object.fromEntries(known) } : own;
}

const fits: { readonly [Name in CollectionName]?: (fields: Fields) => Fields } = {
  breakTypes: (fields) => ({
    ...fields,
    breakIntervalHrs: 4,
    breakIntervalMins: fields.trackMissedBreaks ? 30 : null,
  }),
  discounts: (fields) => {
    const { type } = fields;
    return {
      ...fields,
      percentage: type === 'PERCENT' ? (fields.percentage ?? 12.5) : null,
      amount: type === 'FIXED' ? (fields.amount ?? 0.01) : null,
      fixedTotal: type === 'FIXED_TOTAL' ? 9.99 : null,
      selectionType: type === 'BOGO' ? 'BOGO' : 'CHECK',
      nonExclusive: type === 'PERCENT',
    };
  },
  menus: shownFields,
  menuGroups: shownFields,
  menuItems: (fields) => ({ ...shownFields(fields), priceMultiplier: null }),
  menuOptionGroups: (fields) => ({
    ...fields,
    minSelections: 1,
    maxSelections: fields.maxSelections === null ? null : 3,
    isMultiSelect: fields.isMultiSelect === false ? null : true,
    pricingMode: 'GROUP',
    groupPricing: { strategy: 'SEQUENCE_PRICE', sequencePrices: [0, 1, -1] },
    defaultOptionsSubstitutionPricing: 'NO',
  }),
  preModifierGroups: (fields) => ({ ...fields, isDefault: false }),
  preModifiers: (fields) => ({
    ...fields,
    basePrice: Number(fields.basePrice ?? 1),
    scaleFactor: Math.abs(Number(fields.scaleFactor ?? 2)),
  }),
  serviceCharges: (fields) => ({
    ...fields,
    amount: fields.amountType === 'FIXED' ? Math.abs(Number(fields.amount ?? 1)) : null,
    percent: fields.amountType === 'PERCENT' ? Math.abs(Number(fields.percent ?? 1)) : null,
    serviceChargeCalculation: fields.amountType === 'PERCENT' ? 'POST_DISCOUNT' : null,
    criteria: { ...(fields.criteria as Fields), maxCheckAmount: null },
  }),
  taxRates: (fields) => {
    const type = fields.type ?? 'PERCENT';
    const rates: Record<string, number> = { PERCENT: 0.0725, FIXED: 1.5 };
    return {
      ...fields,
      rate: rates[String(type)] ?? null,
      roundingType: type === 'PERCENT' ? 'HALF_EVEN' : null,
      taxTable: type === 'TABLE' ? [{ start: 0, end: 0.1, tax: 0, pattern: false }] : [],
      conditionalTaxRates: [{ condition: 'Takeout', rate: 0.05 }],
    };
  },
};
