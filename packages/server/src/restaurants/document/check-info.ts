import type { Place } from '../../document/faults.ts';
import type { RestaurantSettings } from './info-schema.ts';
import { checkDelivery } from './rules/delivery.ts';
import { checkGeneral } from './rules/general.ts';
import { checkLocation } from './rules/location.ts';
import { checkSchedules } from './rules/schedules.ts';
import { checkUrls } from './rules/urls.ts';

export type RestaurantFields = Omit<RestaurantSettings, 'guid' | 'general'> & {
  readonly general: Omit<RestaurantSettings['general'], 'managementGroupGuid'>;
};

/**
 * Imports and edits share these rules. `isSound` tells which `general` fields have a valid shape.
 */
export function checkRestaurantInfo(
  info: RestaurantFields,
  place: Place,
  isSound: (place: Place) => boolean,
): void {
  const { closeoutHour } = info.general;
  const [general, urls, location] = [place.at('general'), place.at('urls'), place.at('location')];
  const [schedules, delivery] = [place.at('schedules'), place.at('delivery')];
  checkGeneral(info.general, general, isSound);
  if (isSound(urls)) checkUrls(info.urls, urls);
  if (isSound(location)) checkLocation(info.location, location);
  if (isSound(schedules) && isSound(general.at('closeoutHour'))) {
    checkSchedules(info.schedules, closeoutHour, schedules);
  }
  if (isSound(delivery)) checkDelivery(info.delivery, delivery);
}
