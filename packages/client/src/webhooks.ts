/** `@servery/client/webhooks`: for receivers that need nothing else from the client. */
import type { WebhookEvent } from '@servery/contract';
import {
  type ReceivedWebhook,
  type VerifyFailure,
  type VerifyOptions,
  verifyInBrowser,
} from '@servery/webhooks/browser.ts';

export type VerifiedWebhook =
  | {
      readonly isValid: true;
      /** An event can come twice: compare its guid. Its type may be one that you don't know. */
      readonly event: WebhookEvent;
      /** Which of your secrets made the signature. */
      readonly secretIndex: number;
    }
  | { readonly isValid: false; readonly reason: VerifyFailure; readonly explanation: string };

/**
 * Checks the signature of a webhook over its raw body. Never throws: if you pass a parsed object,
 * or if anything else is wrong, the verdict says why.
 */
export async function verifyWebhook(
  headers: ReceivedWebhook['headers'],
  body: ReceivedWebhook['body'],
  secrets: ReceivedWebhook['secrets'],
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const verdict = await verifyInBrowser({ headers, body, secrets }, options);
  if (!verdict.isValid) return verdict;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { ...verdict, event: JSON.parse(text) as WebhookEvent };
}
