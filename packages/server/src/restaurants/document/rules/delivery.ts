import type { Delivery } from '@servery/contract';
import { decodePolyline } from '@servery/contract/polyline.ts';
import type { Place } from '../../../document/faults.ts';

const CORNERS_OF_AN_AREA = 3;

export function checkDelivery(delivery: Delivery, place: Place): void {
  if (delivery.area === null) return;
  const points = decodePolyline(delivery.area);
  if (points === null) {
    place.fault('is not an encoded polyline; a character is missing or invalid', 'area');
    return;
  }
  const outside = points.findIndex(
    ([latitude, longitude]) => Math.abs(latitude) > 90 || Math.abs(longitude) > 180,
  );
  if (outside !== -1) {
    const [latitude, longitude] = points[outside] ?? [];
    const message = `point ${outside} is ${latitude}, ${longitude}, which is not on Earth`;
    place.fault(message, 'area');
  }
  if (points.length < CORNERS_OF_AN_AREA) {
    place.fault(`has ${points.length} points; an area needs at least three`, 'area');
  }
}
