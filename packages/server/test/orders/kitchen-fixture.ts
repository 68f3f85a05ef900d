import assert from 'node:assert/strict';
import type { OperationId } from '@servery/contract';
import { createOrderWork } from '../../src/orders/kitchen/due-work.ts';
import { ordersHere } from '../../src/orders/kitchen/orders-here.ts';
import { officeOrderHandlers } from '../../src/orders/office/handlers.ts';
import type { OrderSettings } from '../../src/orders/order-deps.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { officePaymentHandlers } from '../../src/payments/office/handlers.ts';
import { officeOrganizationHandlers } from '../../src/restaurants/office/handlers.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { type OrderFixture, type OrderFixtureParts, openOrderFixture } from './fixture.ts';

/** The restaurant's side of an order fixture. */
export interface KitchenFixture extends OrderFixture {
  /** Calls an operation of the back office about an order. */
  decide(
    move: string,
    orderGuid: string,
    body?: unknown,
    params?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>;
  office(id: OperationId, parts: object): Promise<TestAnswer>;
  /** Does what is due by now, as the platform does while its clock runs. */
  work(): Promise<void>;
  /** The same, one by one at their instants, as a clock does that is moved this far. */
  moveTo(atMs: number): Promise<void>;
  setApproval(approval: 'auto' | 'manual'): Promise<void>;
}

export async function openKitchenFixture(
  parts: OrderFixtureParts & { readonly settings?: Partial<OrderSettings> },
): Promise<KitchenFixture> {
  const fixture = await openOrderFixture(parts);
  const { deps, restaurant, payments } = fixture;
  const { clock, database, vault, timer } = payments;
  const life = { ...payments.deps, ...deps, vault, timer, ordersHere: ordersHere(deps) };
  const handlers = {
    ...officeOrderHandlers(life),
    ...officeOrganizationHandlers({ database, clock, realClock: clock, vault }),
    ...officePaymentHandlers(life),
  };
  const staff = principal({ type: 'BACK_OFFICE' });
  const office = (id: OperationId, more: object) =>
    callOperation(handlers, id, { restaurant, principal: staff, nowMs: clock.nowMs(), ...more });
  const works = [createOrderWork(life), createPaymentSweep(life)];
  return {
    ...fixture,
    office,
    decide: (move, orderGuid, body, params = {}) =>
      office(`backOffice.orders.${move}` as OperationId, {
        params: { restaurantGuid: restaurant.guid, orderGuid, ...params },
        ...(body === undefined ? {} : { body }),
      }),
    work: async () => {
      for (const work of works) await work.runDue(clock.nowMs(), { isSequential: false });
    },
    moveTo: async (atMs) => {
      for (;;) {
        const due = await Promise.all(
          works.map(async (work) => ({ work, dueMs: await work.nextDueMs() })),
        );
        const [next] = due
          .filter(({ dueMs }) => dueMs !== null && dueMs <= atMs)
          .sort((one, other) => Number(one.dueMs) - Number(other.dueMs));
        if (!next) break;
        clock.advance(Math.max(0, Number(next.dueMs) - clock.nowMs()));
        await next.work.runDue(clock.nowMs(), { isSequential: true, piecesAtMost: 1 });
      }
      clock.advance(atMs - clock.nowMs());
    },
    setApproval: async (approval) => {
      const params = { restaurantGuid: restaurant.guid };
      const body = { orders: { approval } };
      const answer = await office('backOffice.restaurants.update', { params, body });
      assert.equal(answer.body.orders?.approval, approval, JSON.stringify(answer.body));
    },
  };
}
