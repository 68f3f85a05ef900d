import { type BusinessDay, closeOutAfter } from '../payments/due/close-out.ts';

export interface BusinessDaySpan {
  readonly date: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** If the zone skips the date, returns the next day that exists. */
export function businessDayOn(date: Temporal.PlainDate, restaurant: BusinessDay): BusinessDaySpan {
  const midnight = date.toZonedDateTime(restaurant.timeZone).epochMilliseconds;
  // The closeout may be midnight itself.
  const fromMs = closeOutAfter(midnight - 1, restaurant);
  return { date: date.toString(), fromMs, toMs: closeOutAfter(fromMs, restaurant) };
}

/** An instant between midnight and the closeout belongs to yesterday. */
export function businessDayOf(instantMs: number, restaurant: BusinessDay): BusinessDaySpan {
  const instant = Temporal.Instant.fromEpochMilliseconds(instantMs);
  let date = instant.toZonedDateTimeISO(restaurant.timeZone).toPlainDate();
  for (;;) {
    const span = businessDayOn(date, restaurant);
    if (span.fromMs <= instantMs && instantMs < span.toMs) return span;
    date = date.subtract({ days: 1 });
  }
}
