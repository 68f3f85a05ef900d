import type { Location } from '@servery/contract';
import type { Place } from '../../../configuration/document/faults.ts';

/** A point needs both its coordinates; a telephone prefix is digits. */
export function checkLocation(location: Location, place: Place): void {
  if ((location.latitude === null) !== (location.longitude === null)) {
    const missing = location.latitude === null ? 'latitude' : 'longitude';
    place.fault('is missing; a place needs both coordinates, or neither', missing);
  }
  if (location.phoneCountryCode !== null && !/^[1-9]\d{0,2}$/.test(location.phoneCountryCode)) {
    place.fault('must be digits only, such as "1" or "353"', 'phoneCountryCode');
  }
}
