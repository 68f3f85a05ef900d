import type { Order, OrderRequest } from '@servery/contract';
import { Conflict, InvalidInput, NotFound } from './errors.ts';
import { checkAmount } from './money.ts';
import type { PaymentApproved } from './payments.ts';
import { mayBeDone } from './retries.ts';
import type { Transport } from './transport.ts';
import type { CallOptions } from './tree.ts';

export interface PlaceOptions extends CallOptions {
  /** An approved payment, for the first check. */
  readonly payment?: PaymentApproved;
  /** If the order was already placed, returns that order. The order must have its externalId. */
  readonly again?: boolean;
}

/** No response came. To find out whether the order was placed, place `order` with `again: true`. */
export class OrderUnknown extends Error {
  override readonly name = 'OrderUnknown';
  /** The order, with the externalId that was sent. */
  readonly order: OrderRequest;

  constructor(order: OrderRequest, cause: unknown) {
    super('It is not known whether the order was placed. Place it again, with `again: true`.', {
      cause,
    });
    this.order = order;
  }
}

const GUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * Places an order once. The order gets an externalId unless it has one. If the response is lost,
 * the client sends the same bytes again, and the platform refuses to place the order twice.
 */
export async function placeOrder(
  transport: Transport,
  currency: string | undefined,
  given: OrderRequest,
  { payment, again = false, ...options }: PlaceOptions,
): Promise<Order> {
  if (again && !given.externalId) {
    throw new InvalidInput('externalId', 'is missing: it names the order that you sent before.');
  }
  const order = withPayment(withIdentifier(given), payment, currency);
  // Deno and Bun repeat a request by themselves. A new externalId is in use only for this order.
  let mayBePlaced = again || order.externalId !== given.externalId;
  try {
    return await transport.call('orders.place', {
      ...{ ...options, body: order, isRepeatable: true },
      onRetry: (error) => {
        mayBePlaced ||= mayBeDone(error);
      },
    });
  } catch (error) {
    if (mayBeDone(error)) throw new OrderUnknown(order, error);
    if (!mayBePlaced || !(error instanceof Conflict)) throw error;
    const externalId = order.externalId ?? '';
    // Only an externalId with a colon can be read by. The message has the GUID, too.
    const guid = externalId.includes(':') ? externalId : (GUID.exec(error.message)?.[0] ?? '');
    return await transport
      .call('orders.get', { ...options, params: { guid } })
      .catch((failure: unknown) => {
        // Nothing was placed: the conflict is about something else.
        throw failure instanceof NotFound ? error : failure;
      });
  }
}

function withIdentifier(order: OrderRequest): OrderRequest {
  if (!Array.isArray(order?.checks) || order.checks.length === 0) {
    throw new InvalidInput('checks', 'is missing: an order has at least one check.');
  }
  if (!order.diningOption) throw new InvalidInput('diningOption', 'is missing.');
  return { ...order, externalId: order.externalId ?? `order:${crypto.randomUUID()}` };
}

function withPayment(
  order: OrderRequest,
  approved: PaymentApproved | undefined,
  currency: string | undefined,
): OrderRequest {
  const checks = order.checks?.map((check, index) => {
    const { payments } = check;
    const at = `checks[${index}].payments`;
    payments?.forEach(({ amount, tipAmount }, position) => {
      checkAmount(amount, `${at}[${position}].amount`, currency);
      checkAmount(tipAmount ?? 0, `${at}[${position}].tipAmount`, currency);
    });
    if (!approved || index > 0) return check;
    if (approved.outcome !== 'approved') {
      throw new InvalidInput('payment', 'is not approved: an order takes only an approved one.');
    }
    const { paymentUuid: guid, amount, tipAmount } = approved.payment;
    return {
      ...check,
      payments: [...(payments ?? []), { type: 'CREDIT', guid, amount, tipAmount }],
    };
  });
  return { ...order, ...(checks && { checks }) } as OrderRequest;
}
