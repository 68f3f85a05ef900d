import assert from 'node:assert/strict';
import type { OperationId, WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { connect, updateReferences } from '../../src/partners/connections.ts';
import type { AccountFixture } from '../clients/fixture.ts';
import { at, origin } from '../partners/test-origin.ts';
import type { RequestParts, TestAnswer } from '../request.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';

/** A partner with an account, and what is done to its endpoints. */
export interface ReceiverAccount {
  readonly partnerGuid: string;
  readonly clientId: string;
  /** Makes an endpoint, and gives it with its secret. */
  create(body?: object): Promise<{ endpoint: WebhookEndpoint; secret: string; secretGuid: string }>;
  call(name: string, guid: string, body?: unknown, rest?: RequestParts): Promise<TestAnswer>;
  /** So many events of the partner. */
  events(count: number): Promise<void>;
  /** The deliveries that a filter finds, the newest first. */
  deliveries(query?: Record<string, string>): Promise<WebhookDelivery[]>;
}

const nobody = { firstName: null, lastName: null, email: null, phone: null };

/** Makes a partner with an account and no endpoint. */
export async function openReceiverAccount(fixture: AccountFixture): Promise<ReceiverAccount> {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const account = { name: 'ReceiverAccount', type: 'PARTNER', partnerGuid, scopes: [] };
  const made = await fixture.call('backOffice.clients.create', { body: account });
  const { clientId } = made.body.client;
  const { guid: restaurantGuid } = await insertRestaurant(sql);
  const change = { restaurantGuid, partnerGuid, employee: nobody, origin };
  let told = 0;
  return {
    partnerGuid,
    clientId,
    async create(body = {}) {
      const url = 'https://hooks.example.com/';
      const parts = { body: { clientId, url, ...body } };
      const answer = await fixture.call('backOffice.webhooks.endpoints.create', parts);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    call: (name, endpointGuid, body, rest = {}) =>
      fixture.call(`backOffice.webhooks.${name}` as OperationId, {
        params: { endpointGuid, deliveryGuid: endpointGuid, ...rest.params },
        body,
        ...rest,
      }),
    async events(count) {
      const references = { externalGroupRef: null, externalRestaurantRef: null };
      for (let number = 0; number < count; number += 1) {
        const deps = at(fixture.database, fixture.clock.nowMs());
        if (told === 0) await connect(deps, { ...change, ...references });
        else await updateReferences(deps, { ...change, externalGroupRef: `group-${told}` });
        told += 1;
      }
    },
    async deliveries(query = {}) {
      const answer = await fixture.call('backOffice.webhooks.deliveries.list', { query });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.results;
    },
  };
}
