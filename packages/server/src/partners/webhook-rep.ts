import type { PartnerAccessExternalWebhookRep } from '@servery/contract';
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { isoTimestamp } from '../http/timestamps.ts';
import type { ToldRestaurant } from './change-store.ts';
import type { ConnectionView } from './connection-store.ts';

countries.registerLocale(english);

export function webhookRep(
  connection: ConnectionView,
  restaurant: ToldRestaurant,
): PartnerAccessExternalWebhookRep {
  const { createdAt, modifiedAt } = connection;
  const said = (name: string) => textOf(restaurant.location[name]);
  return {
    restaurantGuid: connection.restaurantGuid,
    managementGroupGuid: connection.managementGroupGuid,
    restaurantName: restaurant.name,
    locationName: restaurant.locationName,
    externalGroupRef: connection.externalGroupRef,
    externalRestaurantRef: connection.externalRestaurantRef,
    modifiedDate: modifiedAt.getTime(),
    createdDate: createdAt.getTime(),
    isoModifiedDate: isoTimestamp(modifiedAt),
    isoCreatedDate: isoTimestamp(createdAt),
    createdByFirstName: connection.firstName,
    createdByLastName: connection.lastName,
    createdByEmailAddress: connection.email,
    createdByPhoneNumber: connection.phone,
    restaurantPhoneNumber: said('phone'),
    restaurantAddressLine1: said('address1'),
    restaurantAddressLine2: said('address2'),
    restaurantCity: said('city'),
    restaurantState: said('stateCode') ?? said('administrativeArea'),
    restaurantZipCode: said('zipCode'),
    restaurantLatitude: said('latitude'),
    restaurantLongitude: said('longitude'),
    restaurantCountryCode: countryCodeOf(said('country')),
    restaurantTimezone: restaurant.timeZone,
  };
}

/** Coordinates are numbers in RestaurantInfo and text in events. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Accepts an ISO 3166-1 alpha-2 code or an English name; else null. */
function countryCodeOf(country: string | null): string | null {
  if (country === null) return null;
  const code = country.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return countries.isValid(code) ? code : null;
  return countries.alpha3ToAlpha2(code) ?? countries.getAlpha2Code(country.trim(), 'en') ?? null;
}
