import { inspect } from 'node:util';
import { brandOf, cardTypeOf } from '@servery/support/card-types.ts';
import { isCountryCode } from './country.ts';

export interface CardClearText {
  readonly cardNumber: string;
  readonly zipCode: string;
  readonly cvv?: string | null;
  readonly expMonth: string;
  readonly expYear: string;
  readonly country: string;
}

const REDACTED = '[card data]';

/** Redacted in text, JSON and logs: only brand, first six and last four digits may be kept. */
export class CardData {
  readonly #clearText: CardClearText;
  readonly brand: string;
  readonly first6: string;
  readonly last4: string;

  constructor(clearText: CardClearText) {
    this.#clearText = clearText;
    this.brand = brandOf(clearText.cardNumber);
    this.first6 = clearText.cardNumber.slice(0, 6);
    this.last4 = clearText.cardNumber.slice(-4);
  }

  /** Only for the processor and for digests. */
  reveal(): CardClearText {
    return this.#clearText;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** The message names the reason, never a value. Only a sandbox shows it to the caller (PAY-5). */
export class CardDataFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CardDataFault';
  }
}

export interface CardRules {
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  /** A sandbox doesn't check the formats of security code, postal code and expiry (PAY-11). */
  readonly checksFormats: boolean;
}

/** What the request says about the card in plain text. It must match the encrypted card. */
export interface CardClaims {
  readonly cardFirst6: string;
  readonly cardLast4: string;
  readonly postalCode: string;
  readonly country: string;
}

/** Throws CardDataFault. Always overwrites the bytes. */
export function readCardData(plainBytes: Uint8Array, rules: CardRules): CardData {
  const fields = parseFields(plainBytes);
  const clearText: CardClearText = {
    cardNumber: textField(fields, 'cardNumber'),
    zipCode: textField(fields, 'zipCode'),
    cvv: securityCode(fields, rules),
    expMonth: textField(fields, 'expMonth'),
    expYear: textField(fields, 'expYear'),
    country: textField(fields, 'country'),
  };
  checkCardNumber(clearText.cardNumber);
  if (!isCountryCode(clearText.country)) {
    throw new CardDataFault('country in the card data must be an ISO 3166-1 alpha-3 code');
  }
  if (rules.checksFormats) checkFormats(clearText);
  return new CardData(clearText);
}

/** Throws CardDataFault with every mismatch. */
export function checkClaims(card: CardData, claims: CardClaims): void {
  const { zipCode, country } = card.reveal();
  const mismatches = [
    card.first6 === claims.cardFirst6 ? [] : 'cardFirst6',
    card.last4 === claims.cardLast4 ? [] : 'cardLast4',
    zipCode === claims.postalCode ? [] : 'billingAddress.postalCode',
    country === claims.country ? [] : 'billingAddress.country',
  ].flat();
  if (mismatches.length > 0) {
    throw new CardDataFault(`the encrypted card data differs from ${mismatches.join(' and ')}`);
  }
}

function parseFields(plainBytes: Uint8Array): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plainBytes));
  } catch {
    // The parser's message would quote the clear text.
    throw new CardDataFault('the decrypted card data is not JSON');
  } finally {
    plainBytes.fill(0);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new CardDataFault('the decrypted card data is not a JSON object');
  }
  return parsed as Record<string, unknown>;
}

/** Null for what is missing or empty. */
function givenValue(fields: Record<string, unknown>, name: keyof CardClearText): unknown {
  const value = Object.hasOwn(fields, name) ? fields[name] : null;
  return value === '' ? null : (value ?? null);
}

function textField(fields: Record<string, unknown>, name: keyof CardClearText): string {
  const value = givenValue(fields, name);
  if (value === null) throw new CardDataFault(`${name} is missing in the card data`);
  if (typeof value === 'string') return value;
  throw new CardDataFault(`${name} in the card data must be a string`);
}

function securityCode(fields: Record<string, unknown>, rules: CardRules): string | null {
  if (givenValue(fields, 'cvv') !== null) return textField(fields, 'cvv');
  if (rules.cardNumberOrigin === 'PARTNER_VAULT') return null;
  throw new CardDataFault('cvv is missing in the card data; only PARTNER_VAULT may leave it out');
}

function checkCardNumber(cardNumber: string): void {
  if (!/^[0-9]{12,19}$/.test(cardNumber)) {
    throw new CardDataFault('cardNumber must have 12 to 19 digits and nothing else');
  }
  if (!passesLuhn(cardNumber)) throw new CardDataFault('cardNumber fails the Luhn check');
  const type = cardTypeOf(cardNumber);
  if (type && !type.lengths.includes(cardNumber.length)) {
    throw new CardDataFault(
      `cardNumber does not have as many digits as ${brandOf(cardNumber)} cards have`,
    );
  }
}

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = Number(digits[digits.length - 1 - fromRight]);
    const weighted = fromRight % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function checkFormats(clearText: CardClearText): void {
  const { cvv, zipCode, expMonth, expYear, country } = clearText;
  if (!/^(0[1-9]|1[0-2])$/.test(expMonth)) {
    throw new CardDataFault('expMonth must have two digits, 01 to 12');
  }
  if (!/^[0-9]{2}$/.test(expYear)) throw new CardDataFault('expYear must have two digits');
  if (!isPostalCode(zipCode, country)) {
    throw new CardDataFault(`zipCode is not a postal code of ${country}`);
  }
  if (!cvv) return;
  const type = cardTypeOf(clearText.cardNumber);
  const lengths = type ? [type.codeLength] : [3, 4];
  if (!/^[0-9]+$/.test(cvv) || !lengths.includes(cvv.length)) {
    throw new CardDataFault(`cvv must have ${lengths.join(' or ')} digits`);
  }
}

function isPostalCode(zipCode: string, country: string): boolean {
  // A ZIP+4 code has its extra digits appended without a separator.
  if (country === 'USA') return /^[0-9]{5}([0-9]{4})?$/.test(zipCode);
  if (country === 'CAN') return /^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$/i.test(zipCode);
  return /^[A-Z0-9][A-Z0-9 -]{0,11}$/i.test(zipCode);
}
