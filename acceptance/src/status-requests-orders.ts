import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApplicableDiscount, Order } from '@servery/contract';
import type { CallOptions, Client, DemoCallers } from './client.ts';
import { wholeCollection } from './fixtures.ts';
import { openOrdering } from './ordering.ts';
import { authorize, paymentBody } from './payment.ts';

/** How the ids of the operations begin that this file makes calls of. */
export const ordersFamily = 'orders.';

const day = '20260131';
const wholeOrder = { selections: { voidAll: true }, payments: { voidAll: true } };
const unknownOption = { diningOption: { guid: randomUUID() }, checks: [{}] };

/** What makes a call of something unknown of it (404), unless its path alone can do that. */
export function ordersUnknown(id: string): CallOptions | null {
  if (id === 'orders.applicableDiscounts') return { json: { order: unknownOption } };
  return id === 'orders.price' || id === 'orders.place' ? { json: unknownOption } : null;
}

/** Calls of the orders interface, each on an order of its own. */
export class OrderRequests {
  readonly #callers: DemoCallers;
  readonly #restaurant: string;
  #ordering: ReturnType<typeof openOrdering> | undefined;

  constructor(callers: DemoCallers, restaurant: string) {
    this.#callers = callers;
    this.#restaurant = restaurant;
  }

  /** A call that is answered by 200. */
  async sample(id: string): Promise<CallOptions> {
    const partner = await this.#callers.as('partner');
    const { selection, orderOf, deliveryOf } = await this.#open(partner);
    switch (id) {
      case 'orders.price':
        return { json: orderOf() };
      case 'orders.place':
        return { json: orderOf({ externalId: `ring:${randomUUID()}` }) };
      case 'orders.list':
      case 'orders.listBulk':
        return { query: { businessDate: day } };
      case 'orders.payments.list':
        return { query: { paidBusinessDate: day } };
      case 'orders.applicableDiscounts':
        return { json: { order: orderOf() } };
      case 'orders.deliveryInfo.update': {
        const { orderGuid } = await this.#place(partner, deliveryOf());
        return { params: { orderGuid }, json: { deliveryState: 'IN_PROGRESS' } };
      }
      case 'orders.payments.get':
      case 'orders.payments.update':
        return this.#paid(id, partner);
      case 'orders.selectionDiscounts.add':
        return this.#selectionDiscount(partner);
      default:
        return this.#placed(id, partner, orderOf(), selection);
    }
  }

  /** The same call comes again, or for an order that is voided meanwhile (409). */
  async takeBack(id: string, options: CallOptions): Promise<void> {
    const partner = await this.#callers.as('partner');
    if (id === 'orders.place') {
      await partner.call(id, 200, options);
      return;
    }
    const params = { orderGuid: options.params?.orderGuid ?? '' };
    const voiding = { restaurant: this.#restaurant, params, json: wholeOrder };
    await partner.call('orders.void', 200, voiding);
  }

  async #open(partner: Client) {
    this.#ordering ??= openOrdering(partner, this.#restaurant);
    return await this.#ordering;
  }

  async #placed(
    id: string,
    partner: Client,
    order: object,
    selection: object,
  ): Promise<CallOptions> {
    const { orderGuid, checkGuid, amount } = await this.#place(partner, order);
    const params = { orderGuid, checkGuid };
    switch (id) {
      case 'orders.get':
        return { params: { guid: orderGuid } };
      case 'orders.void':
        return { params: { orderGuid }, json: wholeOrder };
      case 'orders.selections.add':
        return { params, json: [selection] };
      case 'orders.discounts.add':
        return { params, json: await this.#checkDiscount(partner, order) };
      case 'orders.payments.add': {
        const guid = randomUUID();
        const body = await paymentBody(this.#callers.platform.demo, { amount, tipAmount: 1 });
        await authorize(partner, 200, this.#restaurant, body, guid);
        return { params, json: [{ type: 'CREDIT', guid, amount, tipAmount: 1 }] };
      }
      default:
        throw new Error(`nobody says what is sent to ${id}`);
    }
  }

  /** An order with a payment of another type. */
  async #paid(id: string, partner: Client): Promise<CallOptions> {
    const { orderOf } = await this.#open(partner);
    const [type] = await wholeCollection(partner, this.#restaurant, 'alternatePaymentTypes');
    assert.ok(type, 'the demo restaurant has no alternate payment type');
    const payments = [{ type: 'OTHER', amount: 1, otherPayment: { guid: type.guid } }];
    const placed = await this.#place(partner, orderOf({}, { payments }));
    const { orderGuid, checkGuid, paymentGuid } = placed;
    return id === 'orders.payments.get'
      ? { params: { guid: paymentGuid } }
      : { params: { orderGuid, checkGuid, paymentGuid }, json: { tipAmount: 1 } };
  }

  async #place(partner: Client, json: object) {
    const answer = await partner.call('orders.place', 200, { restaurant: this.#restaurant, json });
    const order = answer.json as Order;
    const [check] = order.checks;
    return {
      orderGuid: order.guid ?? '',
      checkGuid: check?.guid ?? '',
      selectionGuid: check?.selections[0]?.guid ?? '',
      paymentGuid: check?.payments[0]?.guid ?? '',
      amount: check?.totalAmount ?? 0,
    };
  }

  async #checkDiscount(partner: Client, order: object): Promise<object[]> {
    const applicable = await this.#applicable(partner, order);
    const found = applicable.find(({ applicableChecks }) => applicableChecks.length > 0);
    assert.ok(found, 'the demo restaurant has no discount that applies to a check');
    // Ignored for discounts that are not open.
    return [{ discount: { guid: found.discount.guid }, discountAmount: 1 }];
  }

  /** A discount that was not added yet to an item that it applies to. */
  async #selectionDiscount(partner: Client): Promise<CallOptions> {
    const { selections, orderOf } = await this.#open(partner);
    const applicable = await this.#applicable(partner, orderOf({}, { selections }));
    const found = applicable.find(({ applicableSelections }) => applicableSelections.length > 0);
    assert.ok(found, 'the demo restaurant has no discount that applies to an item');
    const [named] = found.applicableSelections;
    const selection = selections.find(({ item }) => item.guid === named?.guid);
    const placed = await this.#place(partner, orderOf({}, { selections: [selection] }));
    const { orderGuid, checkGuid, selectionGuid } = placed;
    const json = [{ discount: { guid: found.discount.guid } }];
    return { params: { orderGuid, checkGuid, selectionGuid }, json };
  }

  async #applicable(partner: Client, order: object): Promise<ApplicableDiscount[]> {
    const options = { restaurant: this.#restaurant, json: { order } };
    const answer = await partner.call('orders.applicableDiscounts', 200, options);
    return answer.json as ApplicableDiscount[];
  }
}
