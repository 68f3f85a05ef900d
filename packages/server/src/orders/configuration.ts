import type {
  AlternatePaymentType,
  DiningOption,
  Discount,
  ServiceCharge,
  TaxRate,
} from '@servery/contract';
import type { Configuration } from '@servery/pricing';
import { allFields } from '../configuration/document/stored-object.ts';
import type { Sql } from '../database/database.ts';
import type { NamedReference } from './order.ts';
import { listPublished, type OrderingRestaurant, type PublishedRow } from './published-store.ts';

type Stored<Object> = Omit<Object, 'entityType' | 'externalId'> & NamedReference;

export type PublishedDiscount = Configuration['discounts'][number] &
  Pick<Discount, 'active' | 'promoCodes'>;

export type PublishedCharge = Configuration['serviceCharges'][number] &
  Pick<ServiceCharge, 'criteria' | 'amountType'> &
  NamedReference;

/** The published configuration as far as orders go by it. */
export interface OrderingConfiguration {
  readonly pricing: Configuration;
  readonly diningOptions: ReadonlyMap<string, Stored<DiningOption>>;
  readonly discounts: ReadonlyMap<string, PublishedDiscount>;
  readonly serviceCharges: ReadonlyMap<string, PublishedCharge>;
  readonly tables: ReadonlyMap<
    string,
    NamedReference & { readonly serviceArea: string | null; readonly revenueCenter: string | null }
  >;
  readonly serviceAreas: ReadonlyMap<string, NamedReference>;
  readonly revenueCenters: ReadonlyMap<string, NamedReference>;
  readonly restaurantServices: ReadonlyMap<string, NamedReference>;
  readonly alternatePaymentTypes: ReadonlyMap<
    string,
    NamedReference & Pick<AlternatePaymentType, 'name'>
  >;
}

const collections = [
  'diningOptions',
  'discounts',
  'serviceCharges',
  'taxRates',
  'tables',
  'serviceAreas',
  'revenueCenters',
  'restaurantServices',
  'alternatePaymentTypes',
] as const;

export type FindConfiguration = (
  sql: Sql,
  restaurant: Pick<OrderingRestaurant, 'guid' | 'publishNumber'>,
) => Promise<OrderingConfiguration>;

const RESTAURANTS_REMEMBERED = 500;

/** A publication raises the number, so what is remembered by it is never stale. */
export function configurationReader(): FindConfiguration {
  const remembered = new Map<string, { publishNumber: number; read: OrderingConfiguration }>();
  return async (sql, { guid, publishNumber }) => {
    const known = remembered.get(guid);
    if (known?.publishNumber === publishNumber) return known.read;
    const read = configurationOf(await listPublished(sql, guid, collections));
    remembered.delete(guid);
    remembered.set(guid, { publishNumber, read });
    const [oldest] = remembered.keys();
    if (remembered.size > RESTAURANTS_REMEMBERED && oldest) remembered.delete(oldest);
    return read;
  };
}

function configurationOf(stored: readonly PublishedRow[]): OrderingConfiguration {
  const rows = stored.map((row) => ({ ...row, fields: allFields(row.collection, row.fields) }));
  const inCollection = (name: (typeof collections)[number]) =>
    rows.filter(({ collection }) => collection === name);
  const byGuid = <T>(name: (typeof collections)[number], read: (row: PublishedRow) => T) =>
    new Map(inCollection(name).map((row) => [row.guid, read(row)]));
  const taxRates = byGuid('taxRates', taxRateOf);
  const discounts = byGuid('discounts', discountOf);
  const serviceCharges = byGuid('serviceCharges', (row) => chargeOf(row, taxRates));
  const diningOptions = byGuid('diningOptions', diningOptionOf);
  return {
    pricing: {
      taxRates: [...taxRates.values()],
      // An inactive one is as if it weren't there (ORD-22).
      discounts: [...discounts.values()].filter(({ active }) => active),
      serviceCharges: [...serviceCharges.values()],
      diningOptions: [...diningOptions.values()],
    },
    diningOptions,
    discounts,
    serviceCharges,
    tables: byGuid('tables', (row) => ({
      ...referenceOf(row),
      serviceArea: row.fields.serviceArea,
      revenueCenter: row.fields.revenueCenter,
    })),
    serviceAreas: byGuid('serviceAreas', referenceOf),
    revenueCenters: byGuid('revenueCenters', referenceOf),
    restaurantServices: byGuid('restaurantServices', referenceOf),
    alternatePaymentTypes: byGuid('alternatePaymentTypes', (row) => ({
      ...referenceOf(row),
      name: row.fields.name,
    })),
  };
}

const referenceOf = ({ guid, externalId }: PublishedRow): NamedReference => ({ guid, externalId });

const diningOptionOf = (row: PublishedRow): Stored<DiningOption> => ({
  ...row.fields,
  ...referenceOf(row),
});

const taxRateOf = (row: PublishedRow): Stored<TaxRate> => ({ ...row.fields, ...referenceOf(row) });

const discountOf = ({ guid, fields }: PublishedRow): PublishedDiscount => ({ ...fields, guid });

function chargeOf(
  row: PublishedRow,
  taxRates: ReadonlyMap<string, Stored<TaxRate>>,
): PublishedCharge {
  const taxes: readonly string[] = row.fields.applicableTaxes;
  return {
    ...row.fields,
    ...referenceOf(row),
    applicableTaxes: taxes.filter((tax) => taxRates.has(tax)).map((tax) => ({ guid: tax })),
  };
}
