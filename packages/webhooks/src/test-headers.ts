import { randomUUID } from 'node:crypto';
import { defaultWebhookBrand, webhookHeaderNames } from './header-names.ts';
import { presentMs } from './present.ts';
import { signatureHeaders } from './sign.ts';
import type { Body } from './signed-bytes.ts';

/** What the headers of a test should say. */
export interface TestHeaders {
  /** The bytes that the test sends. */
  readonly body: Body;
  /** One secret, or all active ones, oldest first. */
  readonly secrets: string | readonly string[];
  /** Default: the `guid` of the body, or a new one. */
  readonly id?: string;
  /** The time of the attempt, in whole seconds since the epoch. Default: now. */
  readonly timestampSeconds?: number;
  /** From 1; 1 when absent. */
  readonly attemptNumber?: number;
  /** Whether the event is a replay. Default: false. */
  readonly isReplay?: boolean;
  /** `Platform` when absent. */
  readonly brand?: string;
}

/**
 * The signed headers that the platform would send with a body, for tests of a receiver. Pass an old
 * `timestampSeconds` to see a late webhook refused, or another secret to see a forged one refused.
 */
export function makeTestHeaders(test: TestHeaders): Record<string, string> {
  const { body, secrets, brand = defaultWebhookBrand } = test;
  const said = fieldsOf(body);
  const names = webhookHeaderNames(brand);
  return {
    'content-type': 'application/json',
    [names.eventType]: said('eventType') ?? 'partner_updated',
    [names.eventCategory]: said('eventCategory') ?? 'partner',
    [names.attemptNumber]: String(test.attemptNumber ?? 1),
    ...(test.isReplay ? { [names.replay]: 'true' } : {}),
    ...signatureHeaders({
      id: test.id ?? said('guid') ?? randomUUID(),
      timestampSeconds: test.timestampSeconds ?? Math.floor(presentMs() / 1000),
      body,
      bodyTimestamp: said('timestamp') ?? '',
      secrets: typeof secrets === 'string' ? [secrets] : secrets,
      brand,
    }),
  };
}

/** The texts of a body that is an object; of every other body nothing. */
function fieldsOf(body: Body): (name: string) => string | null {
  let fields: Record<string, unknown> | null = null;
  try {
    fields = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  } catch {
    // A test may well send what is no JSON.
  }
  return (name) => {
    const value = fields?.[name];
    return typeof value === 'string' ? value : null;
  };
}
