import { type IssueCardKeyDeps, issueCardKey, listPublicCardKeys } from './card-keys.ts';
import { encryptCardData } from './encrypt-card-data.ts';
import type { TestCard } from './test-cards.ts';

export interface BillingPlace {
  readonly zipCode: string;
  readonly country: string;
}

const CODE = '1234';
const EXPIRY = { expMonth: '12', expYear: '39' };

/** Encrypts a test card as the client would, with a key of its own. Makes one if it has none. */
export async function encryptForClient(
  deps: IssueCardKeyDeps,
  clientId: string,
  { number: cardNumber, cvvLength }: Pick<TestCard, 'number' | 'cvvLength'>,
  place: BillingPlace,
) {
  const [known] = await listPublicCardKeys(deps, clientId);
  const { keyId, publicKeyPem } =
    known ?? (await issueCardKey(deps, { clientId, algorithm: 'ECDH-ES' }));
  const clearText = { cardNumber, cvv: CODE.slice(0, cvvLength), ...EXPIRY, ...place };
  return { keyId, encryptedCardData: await encryptCardData(publicKeyPem, keyId, clearText) };
}
