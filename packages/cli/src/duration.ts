import { invalidUsage } from './exit-codes.ts';

const FRIENDLY = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/**
 * The ISO 8601 form of a duration that a person wrote: that form itself, or whole weeks, days,
 * hours, minutes and seconds such as `5m`, `7d` or `1d12h`. Throws CommandFailure for anything
 * else, and for a duration that does not lead ahead: the platform takes neither.
 */
export function isoDuration(text: string): string {
  const compact = text.replaceAll(' ', '').toLowerCase();
  const isBackwards = compact.startsWith('-');
  const duration = read(isBackwards ? compact.slice(1) : compact);
  const shown = JSON.stringify(text);
  if (duration === null) {
    throw invalidUsage(
      `${shown} is no duration: write 30s, 5m, 1h30m, 7d or 2w, or ISO 8601 such as PT5M.`,
    );
  }
  if (duration.blank) throw invalidUsage(`${shown} leads nowhere: write a duration such as 5m.`);
  if (isBackwards) {
    throw invalidUsage(
      `${shown} leads back: write a duration such as 5m to go ahead, or go back with ` +
        '"servery clock set".',
    );
  }
  if (duration.microseconds !== 0 || duration.nanoseconds !== 0) {
    throw invalidUsage(`${shown} is too fine: the clock goes in whole milliseconds.`);
  }
  return duration.toString();
}

function read(text: string): Temporal.Duration | null {
  try {
    return text.startsWith('p') ? Temporal.Duration.from(text) : friendly(text);
  } catch (error) {
    // Not its grammar, or more than a clock will ever show.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function friendly(text: string): Temporal.Duration | null {
  const match = text === '' ? null : FRIENDLY.exec(text);
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return Temporal.Duration.from({ weeks, days, hours, minutes, seconds });
}
