import type {
  CheckRequest,
  CurbsidePickupRequest,
  CustomerRequest,
  DeliveryInfoRequest,
  OrderRequest,
} from '@servery/contract';
import { removeCardNumbers } from '../../text/card-number-removal.ts';
import { readEmail } from '../../text/email.ts';
import type { Behavior, GuestAddress, GuestCustomer, GuestData } from '../order.ts';
import type { Part } from './part.ts';
import { readText } from './reading.ts';

/** ORD-23. */
export function readPersonText<T extends object>(
  part: Part<T>,
  name: keyof T & string,
): string | null {
  const text = readText(part, name);
  if (text !== null && part.isSound(name) && removeCardNumbers(text) !== text) {
    part.fault('contains a card number: remove it', name);
  }
  return text;
}

/** ORD-19. */
export function readCustomer(
  check: Part<CheckRequest>,
  behavior: Behavior | null,
): GuestCustomer | null {
  const isNeeded = behavior === 'TAKE_OUT' || behavior === 'DELIVERY';
  if (isNeeded) {
    check.require('customer', `is required for ${behavior}: send firstName, lastName, and phone`);
  }
  const customer = check.part('customer') as Part<CustomerRequest> | null;
  if (!customer) return null;
  const text = (name: keyof CustomerRequest & string) => readPersonText(customer, name);
  const read = {
    firstName: text('firstName'),
    lastName: text('lastName'),
    phone: text('phone'),
    phoneCountryCode: text('phoneCountryCode'),
    email: text('email'),
  };
  for (const name of isNeeded ? (['firstName', 'lastName', 'phone'] as const) : []) {
    if (read[name] === null && customer.isSound(name)) {
      customer.fault(`is required for ${behavior}`, name);
    }
  }
  if (read.phone !== null && !isPhone(read.phone, read.phoneCountryCode)) {
    customer.fault(
      'must have ten digits, or 4 to 15 with a phoneCountryCode other than 1',
      'phone',
    );
  }
  if (read.email !== null && customer.isSound('email') && readEmail(read.email) === null) {
    customer.fault('must be an email address, for example ada@example.com', 'email');
  }
  return read;
}

/** A leading 1 of eleven digits is a country code. */
function isPhone(phone: string, countryCode: string | null): boolean {
  const digits = phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  const isLocal = countryCode === null || countryCode.replace(/\D/g, '') === '1';
  return isLocal ? digits.length === 10 : digits.length >= 4 && digits.length <= 15;
}

/** ORD-19. */
export function readDelivery(order: Part<OrderRequest>): GuestAddress | null {
  order.require(
    'deliveryInfo',
    'is required for DELIVERY: send address1, city, zipCode, and state',
  );
  const delivery = order.part('deliveryInfo') as Part<DeliveryInfoRequest> | null;
  if (!delivery) return null;
  const text = (name: keyof DeliveryInfoRequest & string) => readPersonText(delivery, name);
  const read = {
    address1: text('address1'),
    address2: text('address2'),
    city: text('city'),
    state: text('state'),
    administrativeArea: text('administrativeArea'),
    zipCode: text('zipCode'),
    country: text('country'),
    latitude: delivery.get('latitude') ?? null,
    longitude: delivery.get('longitude') ?? null,
    notes: text('notes'),
  };
  for (const name of ['address1', 'city', 'zipCode'] as const) {
    if (read[name] === null && delivery.isSound(name)) {
      delivery.fault('is required for DELIVERY', name);
    }
  }
  const hasState = read.state !== null || read.administrativeArea !== null;
  if (!hasState && delivery.isSound('state') && delivery.isSound('administrativeArea')) {
    delivery.fault('is required for DELIVERY: send state or administrativeArea', 'state');
  }
  return read;
}

/** ORD-19. */
export function readCurbside(order: Part<OrderRequest>): GuestData['curbside'] {
  const curbside = order.part('curbsidePickupInfo') as Part<CurbsidePickupRequest> | null;
  if (!curbside) return null;
  const transportDescription = readPersonText(curbside, 'transportDescription');
  if (transportDescription === null && curbside.isSound('transportDescription')) {
    curbside.fault('is required: describe the vehicle', 'transportDescription');
  }
  return {
    transportDescription,
    transportColor: readPersonText(curbside, 'transportColor'),
    notes: readPersonText(curbside, 'notes'),
  };
}
