const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/;

// The database driver reads years below 100 as 19xx.
const FIRST_MS = Date.parse('1000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Null when it is not ISO 8601 with an offset or not a real date. Allows three decimals at most, as
 * stored and compared.
 */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const instantMs = Date.parse(text);
  // An offset can lead out of the years with four digits, which couldn't be written again.
  if (!(instantMs >= FIRST_MS && instantMs <= LAST_MS)) return null;
  // Date.parse turns 30 February into March.
  const day = Number(text.slice(8, 10));
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0));
  return day >= 1 && day <= daysInMonth.getUTCDate() ? instantMs : null;
}

/** Accepts more decimals and cuts them to milliseconds. */
export function parseAnyInstant(text: string): number | null {
  try {
    const instantMs = Temporal.Instant.from(text).epochMilliseconds;
    return instantMs >= FIRST_MS && instantMs <= LAST_MS ? instantMs : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** For optional fields of checked documents. */
export function instantOf(text: string | undefined): Date | null {
  const instantMs = text === undefined ? null : parseInstant(text);
  return instantMs === null ? null : new Date(instantMs);
}

type WithInstantTexts<Row> = {
  [Name in keyof Row]: Row[Name] extends Date | null ? TextOf<Row[Name]> : Row[Name];
};
type TextOf<Instant> = Instant extends Date ? string : Instant;

/** Writes each Date of a row as the contract has it. */
export function withInstantTexts<Row extends object>(row: Row): WithInstantTexts<Row> {
  const texts = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(texts);
}
