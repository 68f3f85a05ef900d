import type { HandlersOf } from '../../http/operation.ts';
import type { OrderDeps } from '../order-deps.ts';
import { applicableDiscountsHandler } from './applicable-discounts.ts';
import { updateDeliveryInfoHandler } from './delivery-info-update.ts';
import { addDiscountsHandler } from './discounts-add.ts';
import { getOrderHandler } from './get.ts';
import { listOrdersHandler } from './list.ts';
import { listOrdersInBulkHandler } from './list-bulk.ts';
import { addPaymentsHandler } from './payments-add.ts';
import { getOrderPaymentHandler } from './payments-get.ts';
import { listOrderPaymentsHandler } from './payments-list.ts';
import { updatePaymentHandler } from './payments-update.ts';
import { placeOrderHandler } from './place.ts';
import { priceOrderHandler } from './price.ts';
import { addSelectionDiscountsHandler } from './selection-discounts-add.ts';
import { addSelectionsHandler } from './selections-add.ts';
import { voidOrderHandler } from './void.ts';

export const orderHandlers = (deps: OrderDeps): HandlersOf<'orders.'> => ({
  'orders.price': priceOrderHandler(deps),
  'orders.place': placeOrderHandler(deps),
  'orders.get': getOrderHandler(deps),
  'orders.listBulk': listOrdersInBulkHandler(deps),
  'orders.list': listOrdersHandler(deps),
  'orders.applicableDiscounts': applicableDiscountsHandler(deps),
  'orders.selections.add': addSelectionsHandler(deps),
  'orders.discounts.add': addDiscountsHandler(deps),
  'orders.selectionDiscounts.add': addSelectionDiscountsHandler(deps),
  'orders.payments.add': addPaymentsHandler(deps),
  'orders.payments.update': updatePaymentHandler(deps),
  'orders.deliveryInfo.update': updateDeliveryInfoHandler(deps),
  'orders.void': voidOrderHandler(deps),
  'orders.payments.list': listOrderPaymentsHandler(deps),
  'orders.payments.get': getOrderPaymentHandler(deps),
});
