import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import type { PaymentObserver } from '../payments/life/record.ts';
import type { Metrics } from '../support/metrics.ts';
import { listWaitingOrders, orderWaits } from './metrics-store.ts';
import {
  type OrderCause,
  type OrderObserver,
  type OrderRefusal,
  orderCauses,
  orderRefusals,
} from './order-observer.ts';

export interface OrderMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

/** Counts what this process did, and with `payments` what happens to payments of orders. */
export function orderMetrics(
  metrics: Metrics,
  payments: PaymentObserver,
  { database: { sql }, clock }: OrderMetricsDeps,
): OrderObserver {
  metrics.waiting({
    name: 'orders_waiting',
    help: 'Orders that wait for approval, for their time, or for staff to fulfill them.',
    ageHelp:
      'How long the oldest order has waited: for approval since it was placed, otherwise since its ' +
      'time to be sent to the kitchen. By the clock of the environment.',
    label: 'for',
    values: orderWaits,
    clock,
    list: () => listWaitingOrders(sql),
  });
  return {
    ...payments,
    changed: metrics.counter<OrderCause>({
      name: 'order_changes_total',
      help: 'Changes of orders made by this process, by cause.',
      label: 'cause',
      values: orderCauses,
    }),
    refused: metrics.counter<OrderRefusal>({
      name: 'order_refusals_total',
      help: 'Orders that this process refused to place, by reason.',
      label: 'reason',
      values: orderRefusals,
    }),
  };
}
