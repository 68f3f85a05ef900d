import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinishedRequest, Refusal } from '../http/pipeline/observe.ts';
import { RequestQueue } from './queue.ts';

const request = (url: string, refusal: Refusal | null = null) =>
  ({ url, refusal, requestBytes: null, answerBytes: null }) as unknown as FinishedRequest;

function takeAll(queue: RequestQueue): string[] {
  const urls: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) urls.push(next.url);
  return urls;
}

test('requests: while the queue is full one of eight comes in, and each that was refused', () => {
  const queue = new RequestQueue({ requests: 3, bodyBytes: 1_000 });
  const served = Array.from({ length: 20 }, (_, at) => `/${at}`);
  const dropped = served.map((url) => queue.add(request(url)));
  assert.deepEqual(dropped, [0, 0, 0, ...Array(17).fill(1)]);
  const refusal = { check: 'scope' } as Refusal;
  for (const url of ['/a', '/b']) assert.equal(queue.add(request(url, refusal)), 1);
  assert.deepEqual(takeAll(queue), ['/a', '/b', '/19']);
  assert.equal(queue.add(request('/next')), 0, 'there is room again');
  assert.deepEqual(takeAll(queue), ['/next']);
});
