import type { Static } from 'typebox';
import { cardKeyAlgorithms } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  demandedByHandler,
  flag,
  limits,
  line,
  list,
  optional,
  orNull,
  request,
  text,
} from './field.ts';
import { Type } from './type.ts';

const words = (description: string) => text(description, { maxLength: 1_000 });

export const PartnerServiceInfo = request('Which instance of the client made the request.', {
  instanceId: line('Identifier of the client instance, for troubleshooting.'),
  additionalInfo: optional(words('Additional information about the client.')),
});
export type PartnerServiceInfo = Static<typeof PartnerServiceInfo>;

const address = {
  name: line('Name of the person.'),
  phone: words('Phone number in E.164 format.'),
  address1: words('First line of the address.'),
  address2: words('Second line of the address.'),
  city: words('City.'),
  region: words('State, province, or region.'),
  postalCode: words('Postal code. The extra digits of a ZIP+4 follow without a separator.'),
  country: text('Country, ISO 3166-1 alpha-3.', {
    pattern: '^[A-Z]{3}$',
    '~must': 'be a country code of ISO 3166-1 alpha-3, for example USA',
  }),
};

export const BillingAddress = request(
  'The billing address of the card. Must be the same as in the encrypted card data.',
  {
    name: optional(address.name),
    phone: optional(address.phone),
    address1: optional(address.address1),
    address2: optional(address.address2),
    city: optional(address.city),
    region: optional(address.region),
    postalCode: address.postalCode,
    country: address.country,
  },
);
export type BillingAddress = Static<typeof BillingAddress>;

export const DeliveryAddress = request('The delivery address of the order.', {
  ...address,
  name: optional(address.name),
  phone: optional(address.phone),
  address2: optional(address.address2),
});
export type DeliveryAddress = Static<typeof DeliveryAddress>;

const joseText = { type: 'string', maxLength: 4_096 };
const joseKeys = { type: 'object', maxProperties: 32, propertyNames: limits.line };

const joseHeader = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    ...joseKeys,
    description,
    additionalProperties: {
      anyOf: [
        joseText,
        { ...joseKeys, additionalProperties: joseText },
        { type: 'array', maxItems: 32, items: joseText },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
      ],
    },
  });

/** A card takes a few hundred characters of it. */
const jose = (description: string) => text(description, { maxLength: 16_384 });

export const EncryptedCardObject = request(
  'Encrypted card data as a JSON Web Encryption in its flattened JSON form (RFC 7516).',
  {
    protected: jose('Protected header, base64url.'),
    header: Type.Optional(joseHeader('Header of the recipient.')),
    unprotected: Type.Optional(joseHeader('Unprotected header.')),
    encrypted_key: Type.Optional(
      jose('Encrypted content key, base64url. Leave it out with ECDH-ES.'),
    ),
    aad: Type.Optional(jose('Additional authenticated data, base64url.')),
    iv: jose('Initialization vector, base64url.'),
    ciphertext: jose('Ciphertext, base64url.'),
    tag: jose('Authentication tag, base64url.'),
  },
);
export type EncryptedCardObject = Static<typeof EncryptedCardObject>;

export const PaymentRequestMetadata = request('The guest and the client behind a payment.', {
  partnerServiceInfo: PartnerServiceInfo,
  localTransactionDate: dateTime(
    'When the guest presented the card. At most five minutes ahead of the service. ' +
      'Returned as sent.',
    { '~reads': 'asSent' },
  ),
  originIPAddr: text('Public IPv4 or IPv6 address of the cardholder, for fraud detection.', {
    anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }],
    '~must': 'be an IPv4 or IPv6 address',
  }),
  cardFirst6: text('First six digits of the card number, as in the encrypted card data.', {
    pattern: '^[0-9]{6}$',
    '~must': 'be 6 digits',
  }),
  cardLast4: text('Last four digits of the card number, as in the encrypted card data.', {
    pattern: '^[0-9]{4}$',
    '~must': 'be 4 digits',
  }),
  billingAddress: BillingAddress,
  deliveryAddress: optional(DeliveryAddress),
  userAgent: optional(text('User agent, for payments from a browser.', { maxLength: 2_000 })),
  guestIdentifier: text('Your identifier for the guest. The value 0 is denied.', {
    pattern: '^[a-zA-Z0-9=.\\-_+@:&^%!$]+$',
    '~must': 'have at least one character, and only a-z A-Z 0-9 = . - _ + @ : & ^ % ! $',
    ...limits.line,
  }),
  guestEmail: optional(words('Email address of the guest.')),
  appName: optional(line('Name of the mobile app.')),
  appVersion: optional(line('Version of the mobile app.')),
});
export type PaymentRequestMetadata = Static<typeof PaymentRequestMetadata>;

export const PaymentAuthorization = request(
  'A card payment to authorize.',
  {
    cardNumberOrigin: choice(
      'END_USER: the cardholder entered the number for a web order. PARTNER_VAULT: the ' +
        'number comes from a vault of the partner. Send PARTNER_VAULT whenever you use a ' +
        'stored card.',
      ['END_USER', 'PARTNER_VAULT'],
      { default: 'END_USER' },
    ),
    willSaveCard: flag('Whether the partner will store the card of the guest for later.'),
    encryptedCardData: Type.Union(
      [
        jose('Base64 of the RSA-OAEP ciphertext, or a JSON Web Encryption in its compact form.'),
        EncryptedCardObject,
      ],
      { description: 'The card, encrypted with the public key that keyId names.' },
    ),
    amount: decimal(
      'Price of the check without the tip, in currency units: 10.00 is ten dollars.',
      {
        minimum: 0,
      },
    ),
    tipAmount: decimal('Tip in currency units. The sum with amount must be greater than zero.', {
      minimum: 0,
    }),
    requestMetadata: PaymentRequestMetadata,
    keyId: demandedByHandler(
      line(
        'Key and algorithm of encryptedCardData, ALGORITHM::identifier. You may leave it out ' +
          'only if your key dates from before key identifiers.',
      ),
    ),
  },
  // Opening the card data finds every fault in it, and production does not tell which.
  ['encryptedCardData'],
);
export type PaymentAuthorization = Static<typeof PaymentAuthorization>;

export const AuthorizationMetadata = answer('The data for the receipt of an authorized payment.', {
  localTransactionDate: text('The value that was sent, byte for byte.'),
  cardBrand: text('Brand of the card.'),
  authorizationCode: text('Code that the card network issued.'),
  last4: text('Last four digits of the card number.', { pattern: '^[0-9]{4}$' }),
});
export type AuthorizationMetadata = Static<typeof AuthorizationMetadata>;

export const PaymentAmount = answer('An amount with its currency.', {
  amount: decimal('The amount in currency units.', { minimum: 0 }),
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
});
export type PaymentAmount = Static<typeof PaymentAmount>;

const paymentAmount = (description: string) =>
  Type.Union([decimal('The amount in currency units.', { minimum: 0 }), PaymentAmount], {
    description:
      `${description} A number in currency units. A platform with ` +
      'SERVERY_WIRE_PAYMENT_AMOUNT_SHAPE=object returns an object.',
  });

export const PaymentStatus = answer('The outcome of a payment.', {
  paymentState: choice(
    'AUTHORIZED: the money is held. ACKNOWLEDGED: recorded, but the outcome is not known yet. ' +
      'Read the payment to learn it. DENIED: refused. More values may be added. Treat a value ' +
      'that you do not know as not authorized.',
    ['AUTHORIZED', 'ACKNOWLEDGED', 'DENIED'],
  ),
  authorizationMetadata: orNull(AuthorizationMetadata, 'Null unless the payment is authorized.'),
  amount: paymentAmount('Price without tip.'),
  tipAmount: paymentAmount('Tip.'),
  denialReason: orNull(text('Why the card was refused. Show it to the guest. Null unless DENIED.')),
  error: orNull(text('What failed; null unless the payment is in an error state.')),
});
export type PaymentStatus = Static<typeof PaymentStatus>;

export const JsonWebKey = Type.Object(
  {
    kty: text('Key type: RSA or EC.'),
    kid: Type.Optional(text('Key identifier.')),
    use: Type.Optional(text('sig for signatures, enc for encryption.')),
    alg: Type.Optional(text('Algorithm that the key is for.')),
    n: Type.Optional(text('RSA modulus, base64url.')),
    e: Type.Optional(text('RSA exponent, base64url.')),
    crv: Type.Optional(text('Curve of an EC key.')),
    x: Type.Optional(text('X coordinate of an EC key, base64url.')),
    y: Type.Optional(text('Y coordinate of an EC key, base64url.')),
  },
  { description: 'A public key (RFC 7517).', additionalProperties: false },
);
export type JsonWebKey = Static<typeof JsonWebKey>;

export const JsonWebKeySet = answer('Public keys (RFC 7517).', {
  keys: list(JsonWebKey, 'The keys that are live now.'),
});
export type JsonWebKeySet = Static<typeof JsonWebKeySet>;

export const CardEncryptionKey = answer('A public key to encrypt card data with.', {
  keyId: text('ALGORITHM::identifier. Send it as keyId of the authorization.'),
  algorithm: choice('How to encrypt with the key. RSA-OAEP-SHA1 is deprecated.', cardKeyAlgorithms),
  publicKeyPem: text('The key as SubjectPublicKeyInfo in PEM.'),
  publicKeyJwk: JsonWebKey,
  notAfter: orNull(dateTime('The key is retired at this time; null if no end is planned.')),
});
export type CardEncryptionKey = Static<typeof CardEncryptionKey>;
