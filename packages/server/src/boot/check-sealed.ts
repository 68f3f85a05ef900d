import { createPrivateKey } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../database/database.ts';
import { listSealedCardKeys } from '../payments/cards/card-key-store.ts';
import { sealContext } from '../payments/cards/keyring.ts';
import { listSigningKeys } from '../tokens/signing-key-store.ts';
import { SigningKeys } from '../tokens/signing-keys.ts';
import { listAllSealedSecrets } from '../webhooks/endpoints/secret-store.ts';
import { openSecret } from '../webhooks/endpoints/secrets.ts';

export interface OpenedKeys {
  readonly signingKeys: number;
  readonly cardKeys: number;
  readonly webhookSecrets: number;
}

/** Throws an Error that names the first key or secret that does not open. */
export async function checkSealed(database: Database, vault: Vault): Promise<OpenedKeys> {
  const ofSigning = new SigningKeys({ database, vault });
  const signingKeys = await listSigningKeys(database.sql);
  for (const { kid } of signingKeys) {
    await ofSigning.privateKey(kid).catch((cause: unknown) => {
      throw doesNotOpen(`the signing key ${kid}`, cause);
    });
  }
  const cardKeys = await listSealedCardKeys(database.sql);
  for (const { clientId, keyId, sealedPrivateKey } of cardKeys) {
    try {
      const key = vault.open(sealedPrivateKey, sealContext(clientId, keyId));
      createPrivateKey({ key, format: 'der', type: 'pkcs8' });
      key.fill(0);
    } catch (cause) {
      throw doesNotOpen(`the card key ${keyId} of ${clientId}`, cause);
    }
  }
  const secrets = await listAllSealedSecrets(database.sql);
  for (const secret of secrets) {
    try {
      openSecret(vault, secret);
    } catch (cause) {
      throw doesNotOpen(`the webhook secret ${secret.guid}`, cause);
    }
  }
  return {
    signingKeys: signingKeys.length,
    cardKeys: cardKeys.length,
    webhookSecrets: secrets.length,
  };
}

function doesNotOpen(what: string, cause: unknown): Error {
  return new Error(`${what} does not open with this master key`, { cause });
}
