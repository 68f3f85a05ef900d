import { invalidUsage } from './exit-codes.ts';

const ISO = /^P(?!$)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const WEEKS = /^P\d+W$/;
const FRIENDLY = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const DAYS_PER_WEEK = 7;

/**
 * The ISO 8601 form of a duration that a person wrote: that form itself, or whole weeks, days,
 * hours, minutes and seconds such as `5m`, `7d` or `1d12h`. Throws CommandFailure for anything
 * else.
 */
export function isoDuration(text: string): string {
  const compact = text.replaceAll(' ', '');
  const capital = compact.toUpperCase();
  if (ISO.test(capital) || WEEKS.test(capital)) return capital;
  const match = compact === '' ? null : FRIENDLY.exec(compact.toLowerCase());
  if (!match) {
    throw invalidUsage(
      `${JSON.stringify(text)} is no duration: write 30s, 5m, 1h30m, 7d or 2w, or ISO 8601 ` +
        'such as PT5M.',
    );
  }
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(countOf);
  const part = (count: number, letter: string) => (count > 0 ? `${count}${letter}` : '');
  const date = part(weeks * DAYS_PER_WEEK + days, 'D');
  const time = part(hours, 'H') + part(minutes, 'M') + part(seconds, 'S');
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}

function countOf(digits: string | undefined): number {
  return Number(digits ?? 0);
}
