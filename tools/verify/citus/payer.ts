import { simulatedCards } from '@servery/card-simulator/simulated-cards.ts';
import { type OperationId, operationById } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type Caller, callerOf } from '../crash/caller.ts';
import { pathOf, paymentRequest, type WantedPayment } from '../crash/payment-request.ts';
import { paidRestaurants } from '../crash/run.ts';
import type { Stage } from '../crash/stage.ts';

const LIMIT_MS = 30_000;

/** Makes payments one by one, and fails unless each request is answered as it must be. */
export class Payer {
  readonly #stage: Stage;
  readonly #partner: Caller;
  readonly #orders: Caller;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#partner = callerOf(stage.demo.clients.partner);
    this.#orders = callerOf(stage.demo.clients.orders);
  }

  /** Spread over the restaurants in turn. */
  want(count: number): WantedPayment[] {
    const restaurants = paidRestaurants(this.#stage.demo);
    const cardNumber = simulatedCards.find(({ outcome }) => outcome === 'approved')?.number ?? '';
    return Array.from({ length: count }, (_, index) => ({
      ...{ merchantGuid: restaurants[index % restaurants.length] ?? '', paymentUuid: newGuid() },
      ...{ cardNumber, amount: 10, tipAmount: 2 },
    }));
  }

  async authorize(payment: WantedPayment): Promise<void> {
    const request = await paymentRequest(this.#stage.demo, 'partner', payment);
    await this.#ask(this.#partner, 'AUTHORIZED', request);
  }

  async apply(payment: WantedPayment): Promise<void> {
    await this.#move(payment, 'backOffice.payments.apply', 'APPLIED', {
      checkGuid: payment.paymentUuid,
    });
  }

  async fulfil(payment: WantedPayment): Promise<void> {
    await this.#move(payment, 'backOffice.payments.fulfil', 'CAPTURE_SCHEDULED');
  }

  /** The processor is called at once, so the payment may already be captured. */
  async capture(payment: WantedPayment): Promise<void> {
    await this.#move(payment, 'backOffice.payments.capture', 'CAPTURE');
  }

  async #move(payment: WantedPayment, id: OperationId, state: string, json?: object) {
    const { method } = operationById(id);
    const request = { method: method as 'POST', path: pathOf(id, payment), json };
    await this.#ask(this.#orders, state, request);
  }

  async #ask(
    caller: Caller,
    state: string,
    request: Omit<Parameters<Caller>[0], 'server' | 'limitMs'>,
  ) {
    const server = this.#stage.serverUrls[0] ?? '';
    const answer = await caller({ ...request, server, limitMs: LIMIT_MS });
    const { paymentState = '' } = JSON.parse(answer?.text || '{}') as { paymentState?: string };
    if (answer?.status === 200 && paymentState.startsWith(state)) return;
    throw new Error(`${request.path}: ${answer?.status} ${answer?.text}`);
  }
}
