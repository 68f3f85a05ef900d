import type { SandboxDiff } from '@servery/contract';
import type { Database, TransactionOptions } from '../../database/database.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { amountOnWire } from '../../payments/life/money.ts';
import { authorizedMinor, currentTipMinor } from '../../payments/life/tip.ts';
import { compareConfiguration } from './compare-configuration.ts';
import {
  type ComparedRows,
  type Content,
  compareRows,
  type Sides,
  unequalNames,
} from './compare-rows.ts';
import {
  type ComparedTable,
  type ConnectionContent,
  listBucketDigests,
  listConnectionContents,
  listPaymentContents,
  listRowDigests,
  listStockContents,
  type PaymentContent,
  type StockContent,
} from './diff-store.ts';
import { FoundDifferences } from './found-differences.ts';

const oneMoment: TransactionOptions = { isolation: 'repeatable read', readOnly: true };

/** Each is read as it is at one moment. `one` is before, and `other` after. */
export async function compareEnvironments(
  one: Pick<Database, 'transaction'>,
  other: Pick<Database, 'transaction'>,
): Promise<Omit<SandboxDiff, 'name' | 'with'>> {
  return await one.transaction(
    (oneSql) =>
      other.transaction(async (otherSql) => {
        const sides = { one: oneSql, other: otherSql };
        return {
          configuration: await compareConfiguration(sides),
          stock: await compareTable(sides, stock),
          payments: await compareTable(sides, payments),
          connections: await compareTable(sides, connections),
        };
      }, oneMoment),
    oneMoment,
  );
}

interface TableComparison extends Omit<ComparedRows, 'listDigests'> {
  readonly table: ComparedTable;
}

async function compareTable(
  sides: Sides,
  { table, ...compared }: TableComparison,
): Promise<FoundDifferences> {
  const found = new FoundDifferences();
  const [before, after] = await Promise.all([
    listBucketDigests(sides.one, table),
    listBucketDigests(sides.other, table),
  ]);
  const buckets = unequalNames(before, after);
  if (buckets.length === 0) return found;
  const listDigests: ComparedRows['listDigests'] = (sql, place, limit) =>
    listRowDigests(sql, table, buckets, place, limit);
  return await compareRows(sides, { ...compared, listDigests }, found);
}

const stock: TableComparison = {
  table: 'stock',
  listContents: async (sql, places) => (await listStockContents(sql, places)).map(stockContent),
  isRowOptional: true,
};

function stockContent({ status, quantity, until, ...named }: StockContent): Content {
  const fields = {
    status,
    quantity: quantity === null ? null : Number(quantity),
    until: until && isoTimestamp(until),
  };
  return { kind: 'stock', ...named, fields };
}

const payments: TableComparison = {
  table: 'payment',
  listContents: async (sql, places) => (await listPaymentContents(sql, places)).map(paymentContent),
};

function paymentContent(payment: PaymentContent): Content {
  const { currencyCode, capturedMinor } = payment;
  const amount = (minor: number) => amountOnWire(minor, currencyCode);
  return {
    kind: 'payment',
    guid: payment.paymentUuid,
    name: null,
    restaurantGuid: payment.merchantGuid,
    restaurantName: payment.restaurantName,
    fields: {
      paymentState: payment.state,
      currencyCode,
      amount: amount(payment.amountMinor),
      tipAmount: amount(currentTipMinor(payment)),
      authorizedAmount: payment.authorizedAt ? amount(authorizedMinor(payment)) : null,
      capturedAmount: capturedMinor === null ? null : amount(capturedMinor),
    },
  };
}

const connections: TableComparison = {
  table: 'connection',
  listContents: async (sql, places) =>
    (await listConnectionContents(sql, places)).map(connectionContent),
};

function connectionContent(connection: ConnectionContent): Content {
  const { guid, name, restaurantGuid, restaurantName, ...fields } = connection;
  return { kind: 'connection', guid, name, restaurantGuid, restaurantName, fields };
}
