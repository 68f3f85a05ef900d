import { menus as texts } from '../../messages.ts';
import { Badge, type Tone } from '../../parts/told.tsx';
import { formatMoney } from '../../platform/format.ts';
import type { FormField } from './form.ts';
import { humanized } from './humanized.ts';
import { type Fields, isPercent, typed } from './values.ts';

export function labelOf(name: string): string {
  const known: Readonly<Record<string, string>> = texts.fields;
  return known[name] ?? humanized(name);
}

export function collectionLabel(collection: string): string {
  const known: Readonly<Record<string, string>> = texts.collections;
  return known[collection] ?? humanized(collection);
}

/** One of them. */
export function kindLabel(collection: string): string {
  const known: Readonly<Record<string, string>> = texts.kinds;
  return known[collection] ?? collectionLabel(collection).replace(/s$/, '');
}

export function choiceLabel(choice: string): string {
  const known: Readonly<Record<string, string>> = texts.choices;
  return known[choice] ?? humanized(choice);
}

/** What stands beside the box that says whether something has this of its own. */
export function ownLabel(name: string): string {
  const known: Readonly<Record<string, string>> = texts.own;
  return known[name] ?? texts.setHere;
}

/** A hint of the contract, which names fields and choices in braces. */
export function hintText(hint: string | undefined): string | undefined {
  return hint?.replace(/\{(\w+)\}/g, (_, name: string) =>
    texts.quoted(/^[A-Z_]+$/.test(name) ? choiceLabel(name) : labelOf(name)),
  );
}

/** The price of a row, in few words. */
export function priceInWords(pricing: Fields | null, currency: string): string {
  if (!pricing) return '';
  const { strategy, price } = pricing;
  if (typeof price === 'number') {
    const amount = formatMoney(price, currency);
    return strategy === 'BASE_PRICE' ? amount : texts.priceFrom(amount);
  }
  const known: Readonly<Record<string, string>> = texts.prices;
  return known[String(strategy)] ?? '';
}

/** A value that is no object, list or reference. */
export function plainText(
  field: FormField | undefined,
  value: unknown,
  beside: Fields,
  currency: string,
): string {
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number' && field) {
    if (field.kind === 'money') return formatMoney(value, currency);
    return isPercent(field, beside) ? `${typed(field, value, beside)} %` : String(value);
  }
  if (field?.kind === 'choice') return choiceLabel(String(value));
  if (Array.isArray(value)) return value.map((each) => choiceLabel(String(each))).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const tones: Readonly<Record<string, Tone>> = {
  CREATE: 'good',
  CHANGE: 'info',
  ARCHIVE: 'warn',
  RESTORE: 'good',
  ADDED: 'good',
  CHANGED: 'info',
  REMOVED: 'bad',
  HIDDEN: 'plain',
};

/** What a draft, a plan or a publication does to an object. */
export function ChangeBadge({ change }: { readonly change: keyof typeof texts.changes | null }) {
  return change && <Badge tone={tones[change] ?? 'plain'}>{texts.changes[change]}</Badge>;
}
