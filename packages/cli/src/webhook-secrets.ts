import { isSecret } from '@servery/webhooks';
import type { Environment } from './command.ts';
import { invalidUsage } from './exit-codes.ts';

/** The secrets in SERVERY_WEBHOOK_SECRET. */
export function secretsIn({ SERVERY_WEBHOOK_SECRET = '' }: Environment): string[] {
  return readWebhookSecrets(SERVERY_WEBHOOK_SECRET, 'SERVERY_WEBHOOK_SECRET');
}

/**
 * The secrets in a text, separated by blanks or commas. `where` says where the text was. Throws
 * CommandFailure, which never shows the text.
 */
export function readWebhookSecrets(text: string, where: string): string[] {
  const secrets = text.split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.every(isSecret)) return secrets;
  throw invalidUsage(
    `${where} is not a webhook secret. A secret is whsec_ and the Base64 of 24 bytes or more, for ` +
      'example whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz.',
  );
}
