import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { type Surroundings, waitOf } from './webhook-waits.ts';

const QUEUED_AT = '2026-01-31T18:00:00.000Z';
const NOW = '2026-01-31T18:10:00.000Z';
const LATER = '2026-01-31T18:20:00.000Z';

const delivery = {
  guid: 'd1',
  endpointGuid: 'e1',
  state: 'QUEUED',
  queuedAt: QUEUED_AT,
  dueAt: QUEUED_AT,
} as WebhookDelivery;

const active = {
  guid: 'e1',
  state: 'ACTIVE',
  pauseReason: null,
  stateReason: null,
  nextProbeAt: null,
  isOrdered: false,
  consecutiveFailures: 0,
} as WebhookEndpoint;

function around(endpoint: Partial<WebhookEndpoint>, head?: Partial<WebhookDelivery>): Surroundings {
  return {
    endpoints: new Map([['e1', { ...active, ...endpoint }]]),
    heads: new Map(head ? [['e1', { ...delivery, ...head }]] : []),
    nowMs: Temporal.Instant.from(NOW).epochMilliseconds,
  };
}

const textOf = (endpoint: Partial<WebhookEndpoint>, head?: Partial<WebhookDelivery>) =>
  waitOf(delivery, around(endpoint, head))?.text;

describe('what a delivery waits for', () => {
  test('nothing, once it is settled', () => {
    assert.equal(waitOf({ ...delivery, state: 'DEAD', dueAt: null }, around({})), null);
  });

  test('its own time, only while that is ahead', () => {
    const later = waitOf({ ...delivery, dueAt: LATER }, around({}));
    assert.deepEqual(later, { nextAt: LATER, text: '', isHeld: true });
    const due = waitOf({ ...delivery, dueAt: NOW }, around({}));
    assert.deepEqual(due, { nextAt: null, text: 'due now', isHeld: false });
  });

  test('what is due from the start is due, whatever the clock was when it was asked', () => {
    const ahead = { ...delivery, queuedAt: LATER, dueAt: LATER };
    assert.equal(waitOf(ahead, around({}))?.text, 'due now');
  });

  test('the end of a pause, with the next probe while that is ahead', () => {
    const paused = { state: 'PAUSED', pauseReason: 'FAILURES' } as const;
    const words = 'the endpoint is paused after failures';
    assert.equal(textOf({ ...paused, nextProbeAt: LATER }), `${words}, next probe at ${LATER}`);
    assert.equal(textOf({ ...paused, nextProbeAt: QUEUED_AT }), `${words}, a probe is due now`);
    assert.equal(textOf(paused), `${words}, until it is resumed`);
    assert.equal(textOf({ state: 'DISABLED' }), 'the endpoint is disabled, until it is resumed');
  });

  test('the one before it at an ordered endpoint, and its turn where that is not known', () => {
    const ordered = { isOrdered: true };
    const behind = 'the endpoint is ordered: behind d0';
    assert.equal(
      textOf(ordered, { guid: 'd0', dueAt: LATER }),
      `${behind}, which is sent again at ${LATER}`,
    );
    assert.equal(textOf(ordered, { guid: 'd0' }), behind);
    assert.equal(textOf(ordered), 'its turn: the endpoint is ordered');
    assert.equal(textOf(ordered, {}), 'due now');
  });

  test('its turn at an endpoint that fails', () => {
    assert.equal(textOf({ consecutiveFailures: 2 }), 'due now');
    assert.equal(
      textOf({ consecutiveFailures: 3 }),
      'due now; the endpoint failed 3 times in a row and gets one at a time',
    );
  });
});
