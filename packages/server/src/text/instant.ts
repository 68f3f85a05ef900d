const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/;

// The database driver reads a year below 100 as one of the twentieth century.
const FIRST_MS = Date.parse('1000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An instant from ISO 8601 with an offset, as epoch milliseconds; null when the text is none or
 * its date is not in the calendar. At most three decimals: that is what is stored and compared.
 */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const instantMs = Date.parse(text);
  // An offset can lead out of the years that have four digits, which is what can be written again.
  if (!(instantMs >= FIRST_MS && instantMs <= LAST_MS)) return null;
  // Date.parse rolls 30 February over into March.
  const day = Number(text.slice(8, 10));
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0));
  return day >= 1 && day <= daysInMonth.getUTCDate() ? instantMs : null;
}

/**
 * The same from any spelling of ISO 8601 with an offset, to the millisecond that it lies in.
 */
export function parseAnyInstant(text: string): number | null {
  try {
    const instantMs = Temporal.Instant.from(text).epochMilliseconds;
    return instantMs >= FIRST_MS && instantMs <= LAST_MS ? instantMs : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** An instant as a document writes it: ISO 8601 in UTC with milliseconds. */
export function instantText(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
