import type { BillingAddress, RequestOf } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { FaultPath, Faults } from '../../http/faults.ts';
import { isJsonObject } from '../../http/json-object.ts';
import type { EncryptedCardData } from '../cards/card-envelope.ts';
import { amountOnWire, MAX_AMOUNT_MINOR, readAmount } from '../life/money.ts';
import { countryRule, publicAddressRule, type Rule, transactionDateRule } from './request-rules.ts';

type Body = RequestOf<'creditCards.authorize'>['body'];

export interface Address {
  readonly name: string | null;
  readonly phone: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string;
  readonly country: string;
}

/** What the request tells about the guest. It is kept for a while only. */
export interface Guest {
  readonly guestIdentifier: string;
  readonly guestEmail: string | null;
  readonly originIpAddress: string;
  readonly userAgent: string | null;
  readonly appName: string | null;
  readonly appVersion: string | null;
  readonly instanceId: string;
  readonly additionalInfo: string | null;
  readonly billingAddress: Address;
  readonly deliveryAddress: Address | null;
}

/** A PaymentAuthorization that passed every rule that doesn't need the card. */
export interface AuthorizationRequest {
  readonly cardNumberOrigin: Body['cardNumberOrigin'];
  readonly willSaveCard: boolean;
  readonly encryptedCardData: EncryptedCardData;
  readonly keyId: string | null;
  readonly currencyCode: string;
  readonly amountMinor: number;
  readonly tipMinor: number;
  /** Byte for byte as the client sent it. */
  readonly localTransactionDate: string;
  readonly cardFirst6: string;
  readonly cardLast4: string;
  readonly guest: Guest;
}

export interface RequestRules {
  readonly currencyCode: string;
  readonly kind: 'sandbox' | 'production';
  readonly nowMs: number;
  /** True for clients with a card key that is older than key identifiers (PAY-3). */
  readonly mayOmitKeyId: boolean;
}

/** Checks what no schema expresses (PAY-3, -5, -6, -10). Throws as `refuseAuthorization` does. */
export function readAuthorization(
  body: Body,
  rules: RequestRules,
  faults: Faults,
): AuthorizationRequest {
  if (!isJsonObject(body)) refuseAuthorization(faults, rules.kind);
  checkFields(body, rules, faults);
  const amounts = readAmounts(body, rules.currencyCode, faults);
  refuseAuthorization(faults, rules.kind);
  const { cardNumberOrigin, willSaveCard, encryptedCardData, keyId = null } = body;
  const { localTransactionDate, cardFirst6, cardLast4 } = body.requestMetadata;
  return {
    ...{ cardNumberOrigin, willSaveCard, encryptedCardData, keyId },
    currencyCode: rules.currencyCode,
    ...amounts,
    ...{ localTransactionDate, cardFirst6, cardLast4 },
    guest: guestOf(body.requestMetadata),
  };
}

function checkFields(body: Body, rules: RequestRules, faults: Faults): void {
  const check = (path: FaultPath, rule: Rule) => {
    const value = valueAt(body, path);
    const fault = typeof value === 'string' && faults.isSound(path) ? rule(value) : null;
    if (fault !== null) faults.add(path, fault);
  };
  const keyId = valueAt(body, ['keyId']);
  if (keyId === undefined && !rules.mayOmitKeyId) faults.addMissing(['keyId']);
  if (keyId === '') faults.add(['keyId'], 'must not be empty');
  const card = valueAt(body, ['encryptedCardData']);
  if (card !== undefined && typeof card !== 'string' && !isJsonObject(card)) {
    faults.add(['encryptedCardData'], 'must be a string or an object');
  }
  check(['requestMetadata', 'localTransactionDate'], transactionDateRule(rules.nowMs));
  if (rules.kind === 'production') check(['requestMetadata', 'originIPAddr'], publicAddressRule);
  check(['requestMetadata', 'billingAddress', 'country'], countryRule);
  check(['requestMetadata', 'deliveryAddress', 'country'], countryRule);
}

/** An amount with a fault counts as zero. */
function readAmounts(body: Body, currencyCode: string, faults: Faults) {
  const amountMinor = readMoney(body, 'amount', currencyCode, faults);
  const tipMinor = readMoney(body, 'tipAmount', currencyCode, faults);
  if (amountMinor === 0 && tipMinor === 0) {
    faults.add(['amount'], 'and tipAmount together must be greater than zero');
  }
  // The processor gets the sum in one field.
  if ((amountMinor ?? 0) + (tipMinor ?? 0) > MAX_AMOUNT_MINOR) {
    const limit = amountOnWire(MAX_AMOUNT_MINOR, currencyCode);
    faults.add(['amount'], `and tipAmount together must not be over ${limit}`);
  }
  return { amountMinor: amountMinor ?? 0, tipMinor: tipMinor ?? 0 };
}

function readMoney(
  body: Body,
  name: 'amount' | 'tipAmount',
  currencyCode: string,
  faults: Faults,
): number | null {
  if (typeof body[name] !== 'number' || !faults.isSound([name])) return null;
  const reading = readAmount(body[name], currencyCode);
  if ('amountMinor' in reading) return reading.amountMinor;
  faults.add([name], reading.fault);
  return null;
}

function guestOf(sent: Body['requestMetadata']): Guest {
  return {
    guestIdentifier: sent.guestIdentifier,
    guestEmail: sent.guestEmail ?? null,
    originIpAddress: sent.originIPAddr,
    userAgent: sent.userAgent ?? null,
    appName: sent.appName ?? null,
    appVersion: sent.appVersion ?? null,
    instanceId: sent.partnerServiceInfo.instanceId,
    additionalInfo: sent.partnerServiceInfo.additionalInfo ?? null,
    billingAddress: addressOf(sent.billingAddress),
    deliveryAddress: sent.deliveryAddress ? addressOf(sent.deliveryAddress) : null,
  };
}

function addressOf(sent: BillingAddress): Address {
  return {
    name: sent.name ?? null,
    phone: sent.phone ?? null,
    address1: sent.address1 ?? null,
    address2: sent.address2 ?? null,
    city: sent.city ?? null,
    region: sent.region ?? null,
    postalCode: sent.postalCode,
    country: sent.country,
  };
}

function valueAt(body: unknown, path: FaultPath): unknown {
  return path.reduce((value, step) => (isJsonObject(value) ? value[step] : undefined), body);
}

/**
 * Throws ApiError `badRequest` when a required field is missing, otherwise `unprocessable`.
 * Production doesn't tell the caller why a value is refused (PAY-5, PAY-11).
 */
export function refuseAuthorization(faults: Faults, kind: RequestRules['kind']): void {
  if (faults.count === 0) return;
  const missing = faults.told('missing');
  const all = [...missing, ...faults.told('wrong')];
  if (missing.length > 0) {
    const names = missing.map(({ where }) => where).join(', ');
    const text = `Required and missing: ${names}. Send it and try again.`;
    throw new ApiError('badRequest', text, { faults: all, notes: { rule: 'PAY-5' } });
  }
  const reasons = all.map(({ where, message }) => `${where} ${message}`).join('; ');
  const text =
    kind === 'sandbox'
      ? `The request failed validation: ${reasons}.`
      : 'The request failed validation.';
  throw new ApiError('unprocessable', text, { faults: all, notes: { rule: 'PAY-5' } });
}
