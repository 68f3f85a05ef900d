import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments/close-out.ts';
const TESTS = 'packages/server/src/payments/close-out.test.ts';

/** Defects of the close-out: money that is taken on the wrong side of a night. */
export const closeOutDefects: readonly Defect[] = [
  {
    name: 'close-out-at-the-first-of-both',
    file: SOURCE,
    find: "disambiguation: 'later'",
    replace: "disambiguation: 'earlier'",
    why: 'In the night of autumn the day would end an hour early, with guests at the bar.',
    caughtBy: { file: TESTS, name: /close-out example: / },
  },
  {
    name: 'close-out-deep-in-the-day-after-a-gap',
    file: SOURCE,
    find: 'if (later.toPlainDateTime().equals(wall)) return later.epochMilliseconds;',
    replace: 'return later.epochMilliseconds;',
    why: 'Where spring leaves out two hours, the day would end later than its first instant.',
    caughtBy: { file: TESTS, name: /close-out example: / },
  },
  {
    name: 'close-out-on-a-date-that-is-not',
    file: SOURCE,
    find: 'if (!afterGap?.toPlainDate().equals(date)) return null;',
    replace: 'if (!afterGap) return null;',
    why: 'Where a zone leaves out a date, midnight would end the business day.',
    caughtBy: { file: TESTS, name: /close-out example: / },
  },
  {
    name: 'close-out-includes-its-own-instant',
    file: SOURCE,
    find: 'closeOutMs > instantMs',
    replace: 'closeOutMs >= instantMs',
    why: 'An order fulfilled at the close-out would belong to the day that has just ended.',
    caughtBy: { file: TESTS, name: /close-out example: / },
  },
  {
    name: 'close-out-after-the-deadline',
    file: SOURCE,
    find: 'return Math.min(closeOutAfter(fulfilledMs, restaurant), latestMs);',
    replace: 'return closeOutAfter(fulfilledMs, restaurant) || latestMs;',
    why: 'A meal that was served would be voided because of the time of day.',
    caughtBy: { file: TESTS, name: /a capture that cannot wait/ },
  },
];
