import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallableId, Refused } from '@servery/client';
import { failureOf } from './refusals.ts';

const connection = { baseUrl: 'https://platform.example', person: null };

/** What a person is told of a refusal. */
function told(
  operation: CallableId,
  status: number,
  message: string,
  labels: Readonly<Record<string, string>> = {},
  faults: readonly string[] = [],
): string {
  const refused = new Refused(message, { operation, status, faults, requestId: 'r-1' });
  const asker = { connection, labels: new Map(Object.entries(labels)) };
  return (failureOf(refused, asker) as Error).message;
}

test('servery 404: the command that lists what there is, is named', () => {
  const reason = 'There is no such thing: check the path.';
  const lists = {
    'backOffice.alarms.acknowledge': 'servery alarms --all',
    'backOffice.cardKeys.retire': 'servery keys list <client>',
    'backOffice.cardKeys.issue': 'servery clients list',
    'backOffice.configuration.objects.get': 'servery config objects <collection>',
    'backOffice.webhooks.deliveries.drop': 'servery webhooks deliveries',
    'backOffice.restaurants.get': 'servery restaurants list',
  } as const;
  for (const [operation, list] of Object.entries(lists)) {
    assert.equal(
      told(operation as CallableId, 404, reason),
      'the platform refused with 404: There is no such thing. ' +
        `"${list}" shows what there is. (request r-1)`,
    );
  }
});

test('servery 404: a payment may be at another restaurant', () => {
  assert.equal(
    told('backOffice.payments.void', 404, 'The path names no payment of this restaurant.'),
    'the platform refused with 404: There is no payment of this restaurant. A payment at another ' +
      'restaurant needs --restaurant. "servery payments list" shows what there is. (request r-1)',
  );
});

test('servery 404: a platform without the operation is of another version', () => {
  assert.match(
    told('backOffice.payments.list', 404, 'There is no GET /backoffice/v1/payments.'),
    /does not have the operation backOffice\.payments\.list\. It is another version/,
  );
});

test('servery 422: fields and parameters have the names of the command line', () => {
  const labels = { notAfter: '--not-after', reason: '--reason', now: '<instant>' };
  const says = (message: string) => told('backOffice.clock.set', 422, message, labels);
  assert.match(says('notAfter must be in the future.'), /: --not-after must be in the future\./);
  assert.match(
    says('reason must have 1 to 200 characters; now must be an instant.'),
    /: --reason must have 1 to 200 characters; <instant> must be an instant\./,
  );
  assert.match(says('The clock cannot go there: now is too late.'), /there: now is too late\./);
  assert.match(
    says('reason is required and missing; now is required and missing.'),
    /: --reason and <instant> are missing\./,
  );
});

test('servery: faults are listed unless the message already has them', () => {
  const faults = ['name: is missing', 'plu: is a number'];
  const list = told('backOffice.stock.set', 400, 'The document is wrong.', {}, faults);
  assert.ok(list.endsWith('\n  - name: is missing\n  - plu: is a number'));
  const same = told('backOffice.stock.set', 400, 'name is missing; plu is a number.', {}, faults);
  assert.ok(!same.includes('\n'));
});
