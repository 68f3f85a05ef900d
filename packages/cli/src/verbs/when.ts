import { readInstantOf } from '../arguments.ts';
import type { Remote } from '../back-office.ts';
import { isoDuration } from '../duration.ts';
import { invalidUsage } from '../exit-codes.ts';

const CLOSE_OUT = ['tomorrow', 'closeout', 'close-out'];

/**
 * When something is to end, as the platform takes it: `tomorrow` or `closeout` is the close-out of
 * the restaurant, `2h` that long from now by the clock of the environment, else an ISO 8601
 * instant. Throws CommandFailure for anything else.
 */
export async function whenOf(flag: string, text: string, remote: Remote): Promise<string> {
  if (CLOSE_OUT.includes(text.toLowerCase())) return 'closeOut';
  return instantOf(flag, text, remote, 'tomorrow (the close-out), ');
}

/** When something began: a duration before now, or an instant. Throws CommandFailure. */
export async function pastOf(flag: string, text: string, remote: Remote): Promise<string> {
  if (!isDuration(text)) return readInstantOf(flag)(text);
  const duration = Temporal.Duration.from(isoDuration(text));
  const now = Temporal.Instant.fromEpochMilliseconds(await remote.nowMs());
  return now.toZonedDateTimeISO('UTC').subtract(duration).toInstant().toString();
}

/**
 * The same where there is no close-out: a duration from now, or an instant. `alsoTaken` are words
 * that a refusal names beside these.
 */
export async function instantOf(
  flag: string,
  text: string,
  remote: Remote,
  alsoTaken = '',
): Promise<string> {
  if (isDuration(text)) {
    const duration = Temporal.Duration.from(isoDuration(text));
    const now = Temporal.Instant.fromEpochMilliseconds(await remote.nowMs());
    return now.toZonedDateTimeISO('UTC').add(duration).toInstant().toString();
  }
  if (!/\d/.test(text)) {
    throw invalidUsage(
      `${flag} ${JSON.stringify(text)} is no time: write ${alsoTaken}how long, such as 2h, or an ` +
        'instant as 2026-03-29T03:30:00+02:00.',
    );
  }
  return readInstantOf(flag)(text);
}

function isDuration(text: string): boolean {
  return /^p?\d|^p/i.test(text) && !/^\d{4}-|^\d{8}T/.test(text);
}
