import { type BusinessDay, closeOutAfter } from '../payments/due/close-out.ts';

/** A business day of a restaurant: from one close-out to the next, in epoch milliseconds. */
export interface BusinessDaySpan {
  /** The local date on which it begins, as yyyy-MM-dd. */
  readonly date: string;
  readonly fromMs: number;
  /** Belongs to the next day. */
  readonly toMs: number;
}

/**
 * The business day that begins on a local date. One that a zone leaves out altogether gives the
 * next that there is.
 */
export function businessDayOn(date: Temporal.PlainDate, restaurant: BusinessDay): BusinessDaySpan {
  const midnight = date.toZonedDateTime(restaurant.timeZone).epochMilliseconds;
  // The close-out may be midnight itself.
  const fromMs = closeOutAfter(midnight - 1, restaurant);
  return { date: date.toString(), fromMs, toMs: closeOutAfter(fromMs, restaurant) };
}

/** The business day of an instant: after midnight, and before the close-out, that of yesterday. */
export function businessDayOf(instantMs: number, restaurant: BusinessDay): BusinessDaySpan {
  const instant = Temporal.Instant.fromEpochMilliseconds(instantMs);
  let date = instant.toZonedDateTimeISO(restaurant.timeZone).toPlainDate();
  for (;;) {
    const span = businessDayOn(date, restaurant);
    if (span.fromMs <= instantMs && instantMs < span.toMs) return span;
    date = date.subtract({ days: 1 });
  }
}
