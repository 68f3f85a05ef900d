export interface BusinessDay {
  readonly timeZone: string;
  readonly closeoutHour: number;
}

const CAPTURE_LEAD_MS = 60 * 60 * 1000;

/**
 * The next `closeoutHour` of the restaurant's clock strictly after an instant. It never comes
 * early: an hour that repeats in autumn counts the second time, and one in the spring gap moves to
 * the first instant after the gap. A date that a zone skipped, for example Apia in 2011, has no
 * closeout.
 */
export function closeOutAfter(instantMs: number, restaurant: BusinessDay): number {
  const instant = Temporal.Instant.fromEpochMilliseconds(instantMs);
  let date = instant.toZonedDateTimeISO(restaurant.timeZone).toPlainDate();
  for (;;) {
    const closeOutMs = closeOutOn(date, restaurant);
    if (closeOutMs !== null && closeOutMs > instantMs) return closeOutMs;
    date = date.add({ days: 1 });
  }
}

/**
 * The closeout of the business day of the fulfillment, but at least one hour before the capture
 * deadline; at once when the order is fulfilled later than that. So the time of day or a short
 * processor outage never voids a fulfilled order (decision 0016).
 */
export function captureTime(
  fulfilledMs: number,
  captureDeadlineMs: number,
  restaurant: BusinessDay,
): number {
  const latestMs = Math.max(fulfilledMs, captureDeadlineMs - CAPTURE_LEAD_MS);
  return Math.min(closeOutAfter(fulfilledMs, restaurant), latestMs);
}

function closeOutOn(date: Temporal.PlainDate, restaurant: BusinessDay): number | null {
  const { timeZone, closeoutHour } = restaurant;
  const wall = date.toPlainDateTime({ hour: closeoutHour });
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (later.toPlainDateTime().equals(wall)) return later.epochMilliseconds;
  const beforeGap = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const afterGap = beforeGap.getTimeZoneTransition('next');
  if (!afterGap?.toPlainDate().equals(date)) return null;
  return afterGap.epochMilliseconds;
}
