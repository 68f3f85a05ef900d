import { ApiError } from '../../http/errors.ts';
import { Fields, Findings, isJsonObject } from '../../http/fields.ts';
import type { EncryptedCardData } from '../cards/card-envelope.ts';
import { amountOnWire, MAX_AMOUNT_MINOR, readAmount } from '../life/money.ts';
import {
  addressRule,
  countryRule,
  digitsRule,
  filledRule,
  guestIdentifierRule,
  transactionDateRule,
} from './request-rules.ts';

/** A postal address as it was sent; absent fields are null. */
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

/** A PaymentAuthorization that keeps every rule which can be checked without the card. */
export interface AuthorizationRequest {
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
  readonly encryptedCardData: EncryptedCardData;
  /** Null only for holders of a legacy key. */
  readonly keyId: string | null;
  readonly currencyCode: string;
  /** Without tip, in minor units. */
  readonly amountMinor: number;
  /** In minor units. */
  readonly tipMinor: number;
  readonly metadata: RequestMetadata;
}

/** PaymentRequestMetadata; absent optional fields are null. */
export interface RequestMetadata {
  readonly instanceId: string;
  readonly additionalInfo: string | null;
  /** As it was sent, byte for byte. */
  readonly localTransactionDate: string;
  readonly originIpAddress: string;
  readonly cardFirst6: string;
  readonly cardLast4: string;
  readonly billingAddress: Address;
  readonly deliveryAddress: Address | null;
  readonly userAgent: string | null;
  readonly guestIdentifier: string;
  readonly guestEmail: string | null;
  readonly appName: string | null;
  readonly appVersion: string | null;
}

/** What the rules of a request depend on. */
export interface RequestRules {
  readonly currencyCode: string;
  readonly kind: 'sandbox' | 'production';
  readonly nowMs: number;
  /** True for holders of a card key from before key identifiers (PAY-3). */
  readonly mayOmitKeyId: boolean;
}

/**
 * Reads the body of a PUT (PAY-5, PAY-6, PAY-10). Throws ApiError `badRequest` when a required field is
 * missing, else `unprocessable` when a field is wrong; its faults list all that was found.
 */
export function readAuthorization(body: unknown, rules: RequestRules): AuthorizationRequest {
  const findings = new Findings();
  if (!isJsonObject(body)) {
    findings.invalid.push({ where: 'body', message: 'must be a JSON object' });
    throw refusal(findings, rules);
  }
  const fields = new Fields(body, '', findings);
  const request: AuthorizationRequest = {
    cardNumberOrigin: fields.choice('cardNumberOrigin', ['END_USER', 'PARTNER_VAULT']),
    willSaveCard: fields.flag('willSaveCard'),
    encryptedCardData: fields.textOrObject('encryptedCardData'),
    keyId: readKeyId(fields, rules),
    currencyCode: rules.currencyCode,
    ...readAmounts(fields, rules),
    metadata: readMetadata(fields.object('requestMetadata'), rules),
  };
  if (findings.missing.length + findings.invalid.length > 0) throw refusal(findings, rules);
  return request;
}

function readKeyId(fields: Fields, rules: RequestRules): string | null {
  if (rules.mayOmitKeyId && fields.lacks('keyId')) return null;
  return fields.text('keyId', filledRule);
}

function readAmounts(fields: Fields, rules: RequestRules) {
  const amountMinor = readMoney(fields, 'amount', rules);
  const tipMinor = readMoney(fields, 'tipAmount', rules);
  if (amountMinor === 0 && tipMinor === 0) {
    fields.fault('amount', 'and tipAmount together must be greater than zero');
  }
  // The processor is asked for the sum, in one field.
  if ((amountMinor ?? 0) + (tipMinor ?? 0) > MAX_AMOUNT_MINOR) {
    const limit = amountOnWire(MAX_AMOUNT_MINOR, rules.currencyCode);
    fields.fault('amount', `and tipAmount together must not be over ${limit}`);
  }
  return { amountMinor: amountMinor ?? 0, tipMinor: tipMinor ?? 0 };
}

function readMoney(fields: Fields, name: string, rules: RequestRules): number | null {
  const value = fields.number(name);
  if (value === null) return null;
  const reading = readAmount(value, rules.currencyCode);
  if ('amountMinor' in reading) return reading.amountMinor;
  fields.fault(name, reading.fault);
  return null;
}

const first6Rule = digitsRule(6);
const last4Rule = digitsRule(4);

function readMetadata(fields: Fields, rules: RequestRules): RequestMetadata {
  const service = fields.object('partnerServiceInfo');
  const delivery = fields.optionalObject('deliveryAddress');
  return {
    instanceId: service.text('instanceId'),
    additionalInfo: service.optionalText('additionalInfo'),
    localTransactionDate: fields.text('localTransactionDate', transactionDateRule(rules.nowMs)),
    originIpAddress: fields.text('originIPAddr', addressRule(rules.kind === 'production')),
    cardFirst6: fields.text('cardFirst6', first6Rule),
    cardLast4: fields.text('cardLast4', last4Rule),
    billingAddress: readBillingAddress(fields.object('billingAddress')),
    deliveryAddress: delivery && readDeliveryAddress(delivery),
    userAgent: fields.optionalText('userAgent'),
    guestIdentifier: fields.text('guestIdentifier', guestIdentifierRule),
    guestEmail: fields.optionalText('guestEmail'),
    appName: fields.optionalText('appName'),
    appVersion: fields.optionalText('appVersion'),
  };
}

function readBillingAddress(fields: Fields): Address {
  return {
    name: fields.optionalText('name'),
    phone: fields.optionalText('phone'),
    address1: fields.optionalText('address1'),
    address2: fields.optionalText('address2'),
    city: fields.optionalText('city'),
    region: fields.optionalText('region'),
    postalCode: fields.text('postalCode'),
    country: fields.text('country', countryRule),
  };
}

function readDeliveryAddress(fields: Fields): Address {
  return {
    name: fields.optionalText('name'),
    phone: fields.optionalText('phone'),
    address1: fields.text('address1'),
    address2: fields.optionalText('address2'),
    city: fields.text('city'),
    region: fields.text('region'),
    postalCode: fields.text('postalCode'),
    country: fields.text('country', countryRule),
  };
}

/** Why a request with those findings is refused; a production does not tell the caller. */
export function refusal(findings: Findings, rules: Pick<RequestRules, 'kind'>): ApiError {
  const { missing, invalid } = findings;
  const faults = [...missing, ...invalid];
  if (missing.length > 0) {
    const names = missing.map((fault) => fault.where).join(', ');
    return new ApiError('badRequest', `Required and missing: ${names}. Send it and try again.`, {
      faults,
    });
  }
  // Why a value is refused is told in a sandbox only: the contract's certification environment.
  const reasons = faults.map((fault) => `${fault.where} ${fault.message}`).join('; ');
  const text =
    rules.kind === 'sandbox'
      ? `The request failed validation: ${reasons}.`
      : 'The request failed validation.';
  return new ApiError('unprocessable', text, { faults });
}
