/** What of a restaurant says when its business day ends. */
export interface BusinessDay {
  /** The restaurant's IANA zone. */
  readonly timeZone: string;
  /** The hour of the local clock at which one business day ends and the next begins, 0 to 12. */
  readonly closeoutHour: number;
}

/** How long before the capture deadline a capture is sent at the latest. */
const CAPTURE_LEAD_MS = 60 * 60 * 1000;

/**
 * The close-out that ends the business day of an instant, both in epoch milliseconds: the next
 * `closeoutHour` of the restaurant's clock strictly after it (design/payments.md, capture time).
 *
 * A close-out never comes early: of an hour that the clock repeats in autumn the later one counts,
 * and one that falls into the gap of spring comes with the first instant after the gap. A date
 * that a zone leaves out altogether, as Apia did in 2011, has no close-out: business goes on.
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
 * When the payment of an order that was fulfilled at `fulfilledMs` is captured; all in epoch
 * milliseconds. That is the close-out of the fulfilment's business day, but not later than one hour
 * before the capture deadline, unless the order is fulfilled later still: then it is at once. So a
 * fulfilled order is not voided because of the time of day, nor because the processor was away for
 * some minutes (decision 0016).
 */
export function captureTime(
  fulfilledMs: number,
  captureDeadlineMs: number,
  restaurant: BusinessDay,
): number {
  const latestMs = Math.max(fulfilledMs, captureDeadlineMs - CAPTURE_LEAD_MS);
  return Math.min(closeOutAfter(fulfilledMs, restaurant), latestMs);
}

/** The close-out of one local date, in epoch milliseconds; null when the zone left the date out. */
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
