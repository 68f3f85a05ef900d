import type { Static } from 'typebox';
import { answer, choice, decimal, orNull, text, uuid } from './field.ts';
import { entityType, OrderReference, time } from './orders-parts.ts';

const orNone = (description: string) => orNull(text(description));

export const Customer = answer('The guest of a check.', {
  guid: orNull(uuid('Identifier of the guest in this check.')),
  entityType: entityType('Customer'),
  firstName: orNone('First name.'),
  lastName: orNone('Last name.'),
  phone: orNone('Phone number.'),
  phoneCountryCode: orNone('Country code of the phone number, for example 1.'),
  email: orNone('Email address.'),
});
export type Customer = Static<typeof Customer>;

export const DeliveryInfo = answer('Where a delivery goes, and its progress.', {
  address1: orNone('First line of the address.'),
  address2: orNone('Second line of the address.'),
  city: orNone('City.'),
  state: orNone('State.'),
  administrativeArea: orNone('State, province, or county.'),
  zipCode: orNone('Postal code.'),
  country: orNone('Country.'),
  latitude: orNull(decimal('Latitude in degrees.')),
  longitude: orNull(decimal('Longitude in degrees.')),
  notes: orNone('What the courier should know.'),
  deliveredDate: orNull(time('When it was delivered.')),
  dispatchedDate: orNull(time('When it was dispatched.')),
  deliveryEmployee: orNull(OrderReference, 'Who delivers it.'),
  deliveryState: choice('Progress of the delivery.', [
    'PENDING',
    'IN_PROGRESS',
    'PICKED_UP',
    'DELIVERED',
  ]),
});
export type DeliveryInfo = Static<typeof DeliveryInfo>;

export const CurbsidePickupInfo = answer('The vehicle that waits outside.', {
  entityType: entityType('CurbsidePickup'),
  transportDescription: orNone('Make and model of the vehicle, or another description.'),
  transportColor: orNone('Color of the vehicle.'),
  notes: orNone('What the staff should know.'),
});
export type CurbsidePickupInfo = Static<typeof CurbsidePickupInfo>;
