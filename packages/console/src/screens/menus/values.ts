import { type FormField, forms } from './form.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a new object or element has in a field. */
export function initialOf(field: FormField): unknown {
  if (field.isNullable) return null;
  if (field.initial !== undefined) return field.initial;
  switch (field.kind) {
    case 'flag':
      return false;
    case 'choice':
      return field.choices?.[0] ?? '';
    case 'choices':
    case 'references':
    case 'list':
      return [];
    case 'object':
      return initialFields(field.fields ?? []);
    default:
      return '';
  }
}

export function initialFields(fields: readonly FormField[]): Fields {
  return Object.fromEntries(fields.map((field) => [field.name, initialOf(field)]));
}

/** Values by which a field beside them counts. What doesn't count is not shown, and is cleared. */
const needs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  pricing: {
    price: ['BASE_PRICE', 'MENU_SPECIFIC_PRICE', 'TIME_SPECIFIC_PRICE'],
    menuPrices: ['MENU_SPECIFIC_PRICE'],
    timePrices: ['TIME_SPECIFIC_PRICE'],
    sizeGroup: ['SIZE_PRICE'],
    priceGroup: ['PRICE_LEVEL'],
  },
  groupPricing: {
    price: ['FIXED_PRICE'],
    sequencePrices: ['SEQUENCE_PRICE'],
    sizePrices: ['SIZE_PRICE', 'SIZE_SEQUENCE_PRICE'],
  },
  menuOptionGroups: { groupPricing: ['GROUP'] },
  taxRates: {
    rate: ['PERCENT', 'FIXED'],
    roundingType: ['PERCENT'],
    taxTable: ['TABLE'],
    conditionalTaxRates: ['PERCENT'],
  },
  serviceCharges: {
    amount: ['FIXED'],
    percent: ['PERCENT'],
    serviceChargeCalculation: ['PERCENT'],
  },
};
const deciders = ['strategy', 'pricingMode', 'amountType', 'type'];

/** Whether a field counts beside the others; `within` is the collection, or the field around it. */
export function counts(within: string, name: string, beside: Fields): boolean {
  const values = needs[within]?.[name];
  if (!values) return !(within === 'availability' && name === 'schedule' && beside.alwaysAvailable);
  return deciders.some((decider) => values.includes(String(beside[decider])));
}

/** A share is typed in percent, unless it is an amount this time. */
export function isPercent(field: FormField, beside: Fields): boolean {
  return field.kind === 'share' && beside.type !== 'FIXED';
}

/** What was typed, as the interface takes it. What is no number stays a text, and is refused there. */
function cleaned(field: FormField, value: unknown, within: string, beside: Fields): unknown {
  if (!counts(within, field.name, beside) && within !== 'availability') {
    return field.isNullable ? null : [];
  }
  if (value === null || value === undefined) return value;
  switch (field.kind) {
    case 'whole':
    case 'decimal':
    case 'money':
    case 'share':
      return typeof value === 'string' ? numberOf(field, value, beside) : value;
    case 'object':
      return cleanedFields(field.fields ?? [], value as Fields, field.name);
    case 'list':
      return (value as readonly unknown[]).map((element) =>
        field.of ? cleaned(field.of, element, field.name, {}) : element,
      );
    default:
      return value === '' && field.isNullable ? null : value;
  }
}

export function cleanedFields(
  fields: readonly FormField[],
  values: Fields,
  within: string,
): Fields {
  const read = fields
    .filter(({ name }) => name in values)
    .map((field) => [field.name, cleaned(field, values[field.name], within, values)]);
  return { ...values, ...Object.fromEntries(read) };
}

function numberOf(field: FormField, text: string, beside: Fields): unknown {
  const written = text.trim().replace(',', '.');
  if (written === '') return field.isNullable ? null : '';
  const number = Number(written);
  if (Number.isNaN(number)) return text;
  return isPercent(field, beside) ? Number((number / 100).toPrecision(12)) : number;
}

/** A number as people type it. */
export function typed(field: FormField, value: unknown, beside: Fields): string {
  if (typeof value !== 'number') return value === null || value === undefined ? '' : String(value);
  return String(isPercent(field, beside) ? Number((value * 100).toPrecision(12)) : value);
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, at) => isEqual(each, other[at]));
  }
  if (!isFields(one) || !isFields(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(one[name] ?? null, other[name] ?? null));
}

/** The merge patch that makes `after` of `before`: only what differs is in it. */
export function patchOf(before: Fields, after: Fields): Fields {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (isEqual(old ?? null, value ?? null)) continue;
    patch[name] = isFields(old) && isFields(value) ? patchOf(old, value) : (value ?? null);
  }
  return patch;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only the fields that a form shows. */
export function shownFields(collection: string, object: Fields): Fields {
  const { fields = [] } = forms[collection] ?? {};
  return Object.fromEntries(
    fields.filter(({ name }) => name in object).map(({ name }) => [name, object[name]]),
  );
}
