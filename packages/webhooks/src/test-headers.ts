import { randomUUID } from 'node:crypto';
import { defaultWebhookBrand, webhookHeaderNames } from './header-names.ts';
import { presentMs } from './present.ts';
import { signatureHeaders } from './sign.ts';
import type { Body } from './signed-bytes.ts';

/** What the headers of a test are to say. */
export interface TestHeaders {
  /** The bytes that the test sends. */
  readonly body: Body;
  /** One secret, or the live ones with the oldest first. */
  readonly secrets: string | readonly string[];
  /** The field `guid` of the body when absent, or a new one. */
  readonly id?: string;
  /** When the attempt is made, in whole seconds since the epoch; the present when absent. */
  readonly timestampSeconds?: number;
  /** From 1; 1 when absent. */
  readonly attemptNumber?: number;
  /** Whether somebody asked for the event again; false when absent. */
  readonly isReplay?: boolean;
  /** `Platform` when absent. */
  readonly brand?: string;
}

/**
 * The headers that the platform would send with a body, signed, for the tests of a receiver: with a
 * `timestampSeconds` of long ago to see a late one refused, or another secret to see a forged one.
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
