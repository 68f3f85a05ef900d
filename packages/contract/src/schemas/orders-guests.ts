import type { Static } from 'typebox';
import { answer, choice, decimal, orNull, text, uuid } from './field.ts';
import { entityType, OrderReference, time } from './orders-parts.ts';

const orNone = (description: string) => orNull(text(description));

export const Customer = answer('The guest of a check.', {
  guid: orNull(uuid('Identifier of the guest in this check.')),
  entityType: entityType('Customer'),
  firstName: orNone('First name.'),
  lastName: orNone('Last name.'),
  phone: orNone('Telephone number.'),
  phoneCountryCode: orNone('Country code of the telephone number, for example 1.'),
  email: orNone('E-mail address.'),
});
export type Customer = Static<typeof Customer>;

export const DeliveryInfo = answer('Where a delivery goes, and how far it is.', {
  address1: orNone('First line of the address.'),
  address2: orNone('Second line of the address.'),
  city: orNone('City.'),
  state: orNone('State.'),
  administrativeArea: orNone('State, province or county.'),
  zipCode: orNone('Postal code.'),
  country: orNone('Country.'),
  latitude: orNull(decimal('Latitude in degrees.')),
  longitude: orNull(decimal('Longitude in degrees.')),
  notes: orNone('What the courier should know.'),
  deliveredDate: orNull(time('When it was delivered.')),
  dispatchedDate: orNull(time('When it was dispatched.')),
  deliveryEmployee: orNull(OrderReference, 'Who delivers it.'),
  deliveryState: choice('How far it is.', ['PENDING', 'IN_PROGRESS', 'PICKED_UP', 'DELIVERED']),
});
export type DeliveryInfo = Static<typeof DeliveryInfo>;

export const CurbsidePickupInfo = answer('The car that waits outside.', {
  entityType: entityType('CurbsidePickup'),
  transportDescription: orNone('What car it is.'),
  transportColor: orNone('Its color.'),
  notes: orNone('What the staff should know.'),
});
export type CurbsidePickupInfo = Static<typeof CurbsidePickupInfo>;
