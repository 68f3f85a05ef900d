import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const tacos = exampleGuid(serials.menuItem);

/** From RFC 7517, appendix A.1, so that nobody encrypts real cards with it. */
export const publicKeyJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  use: 'enc',
  alg: 'ECDH-ES',
  kid: 'ECDH-ES::2026-01',
} as const;

export const stockAndCardExamples: Examples<
  | 'CardEncryptionKey'
  | 'InventorySearchRequest'
  | 'MenuItemInventory'
  | 'MenuItemInventoryUpdate'
  | 'PaymentAuthorization'
  | 'PaymentStatus'
> = {
  MenuItemInventory: {
    guid: tacos,
    multiLocationId: exampleMultiLocationId,
    versionId: tacos,
    status: 'QUANTITY',
    quantity: 12,
    itemGuidValidity: 'VALID',
  },
  MenuItemInventoryUpdate: { guid: tacos, status: 'QUANTITY', quantity: 12 },
  InventorySearchRequest: { guids: [tacos, exampleGuid(serials.modifierItem)] },
  PaymentAuthorization: {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: 'kq3Zc1l0nB0V5pQxJmE6Yw7S2fTgRrUuHhDdCcAa==',
    amount: 24.5,
    tipAmount: 4,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'web-7', additionalInfo: 'Release 4.2' },
      localTransactionDate: '2026-01-31T18:30:00.000-05:00',
      originIPAddr: '203.0.113.24',
      cardFirst6: '411111',
      cardLast4: '1111',
      billingAddress: { postalCode: '021351234', country: 'USA' },
      guestIdentifier: 'guest-5510',
      guestEmail: 'guest@example.com',
    },
    keyId: 'RSA-OAEP-SHA256::2026-01',
  },
  PaymentStatus: {
    paymentState: 'AUTHORIZED',
    authorizationMetadata: {
      localTransactionDate: '2026-01-31T18:30:00.000-05:00',
      cardBrand: 'VISA',
      authorizationCode: '071825',
      last4: '1111',
    },
    amount: 24.5,
    tipAmount: 4,
    denialReason: null,
    error: null,
  },
  CardEncryptionKey: {
    keyId: 'ECDH-ES::2026-01',
    algorithm: 'ECDH-ES',
    publicKeyPem: [
      '-----BEGIN PUBLIC KEY-----',
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMKBCTNIcKUSDii11ySs3526iDZ8A',
      'iTo7Tu6KPAqv7D7gS2XpJFbZiItSs3m9+9Ue6GnvHw/GW2ZZaVtszggXIw==',
      '-----END PUBLIC KEY-----',
      '',
    ].join('\n'),
    publicKeyJwk,
    notAfter: null,
  },
};
