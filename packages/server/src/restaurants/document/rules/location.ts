import type { Location } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

const PHONE = /^[0-9 ()./-]+((x|ext\.?|#) ?[0-9]+)?$/i;
const SHORTEST_PHONE = 3;

export function checkLocation(location: Location, place: Place): void {
  if ((location.latitude === null) !== (location.longitude === null)) {
    const missing = location.latitude === null ? 'latitude' : 'longitude';
    place.fault('is missing; a place needs both coordinates, or neither', missing);
  }
  if (location.phoneCountryCode !== null && !/^[1-9]\d{0,2}$/.test(location.phoneCountryCode)) {
    place.fault('must be digits only, for example "1" or "353"', 'phoneCountryCode');
  }
  if (location.phone !== null && !isPhone(location.phone)) {
    const message =
      'is not a phone number; write digits, without the country code, which goes in ' +
      'phoneCountryCode';
    place.fault(message, 'phone');
  }
}

function isPhone(text: string): boolean {
  return PHONE.test(text) && text.replaceAll(/[^0-9]/g, '').length >= SHORTEST_PHONE;
}
