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

type Stored<Whole> = Omit<Whole, 'entityType' | 'externalId'> & NamedReference;

export type PublishedDiscount = Configuration['discounts'][number] &
  Pick<Discount, 'active' | 'promoCodes'>;

export type PublishedCharge = Configuration['serviceCharges'][number] &
  Pick<ServiceCharge, 'criteria' | 'amountType'> &
  NamedReference;

interface TablePlace {
  readonly serviceArea: string | null;
  readonly revenueCenter: string | null;
}

/** The published configuration as far as orders go by it. */
export interface OrderingConfiguration {
  readonly pricing: Configuration;
  readonly diningOptions: ReadonlyMap<string, Stored<DiningOption>>;
  readonly discounts: ReadonlyMap<string, PublishedDiscount>;
  readonly serviceCharges: ReadonlyMap<string, PublishedCharge>;
  readonly tables: ReadonlyMap<string, NamedReference & TablePlace>;
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
    tables: byGuid('tables', (row) => ({ ...fieldsOf<TablePlace>(row), ...referenceOf(row) })),
    serviceAreas: byGuid('serviceAreas', referenceOf),
    revenueCenters: byGuid('revenueCenters', referenceOf),
    restaurantServices: byGuid('restaurantServices', referenceOf),
    alternatePaymentTypes: byGuid('alternatePaymentTypes', (row) => ({
      ...fieldsOf<Pick<AlternatePaymentType, 'name'>>(row),
      ...referenceOf(row),
    })),
  };
}

const referenceOf = ({ guid, externalId }: PublishedRow): NamedReference => ({ guid, externalId });

/** A publication has checked them against the schema of their collection. */
const fieldsOf = <Fields>({ fields }: PublishedRow) => fields as unknown as Fields;

const diningOptionOf = (row: PublishedRow): Stored<DiningOption> => ({
  ...fieldsOf<Stored<DiningOption>>(row),
  ...referenceOf(row),
});

const taxRateOf = (row: PublishedRow): Stored<TaxRate> => ({
  ...fieldsOf<Stored<TaxRate>>(row),
  ...referenceOf(row),
});

const discountOf = (row: PublishedRow): PublishedDiscount => ({
  ...fieldsOf<PublishedDiscount>(row),
  guid: row.guid,
});

function chargeOf(
  row: PublishedRow,
  taxRates: ReadonlyMap<string, Stored<TaxRate>>,
): PublishedCharge {
  const fields = fieldsOf<
    Omit<PublishedCharge, 'applicableTaxes'> & { readonly applicableTaxes: readonly string[] }
  >(row);
  const taxes = fields.applicableTaxes.filter((tax) => taxRates.has(tax));
  return { ...fields, ...referenceOf(row), applicableTaxes: taxes.map((guid) => ({ guid })) };
}
