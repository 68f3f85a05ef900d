import assert from 'node:assert/strict';
import { asking, record, startHttpCeiling } from './answers.ts';
import type { MeasuredPlatform } from './platform.ts';
import type { Bench, Comparison } from './scenario.ts';

/** One read that is measured beside bare node:http answering the same bytes. */
export interface Read extends Pick<Comparison, 'name' | 'goal' | 'p99Goal'> {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** 200 when absent. */
  readonly status?: number;
  /** Checks the answer before anything is measured; throws when it is not the right one. */
  readonly check: (body: Buffer, headers: Readonly<Record<string, string>>) => void;
}

/** Measures the read, by the partner at the restaurant with the most items. */
export async function compareRead(
  bench: Bench,
  platform: MeasuredPlatform,
  { path, status = 200, check, ...read }: Read,
): Promise<void> {
  const headers = { ...platform.headers, ...read.headers };
  const answer = await record(platform.url + path, { headers });
  assert.equal(answer.status, status, `${path} was answered ${answer.status}`);
  check(answer.body, answer.headers);
  await using bare = await startHttpCeiling({ GET: answer }, headers);
  const request = {
    headers,
    status,
    length: answer.body.length,
    check: (body: Buffer) => assert.ok(body.equals(answer.body), `${path} answers other bytes`),
  };
  await bench.compare({
    ...read,
    product: asking('product', platform, path, request),
    others: [asking('node:http', bare, path, request)],
  });
}

/** A check that the body is a JSON list of `from` to `to` elements. */
export function isList(from: number, to: number): (body: Buffer) => void {
  return (body) => {
    const { length } = JSON.parse(body.toString()) as unknown[];
    assert.ok(length >= from && length <= to, `a list of ${length}, not ${from} to ${to}`);
  };
}
