// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments';
const TESTS = 'packages/server/test';

/** Defects of alarms and of the metrics of payments: what people see of trouble. */
export const alarmDefects: readonly Defect[] = [
  {
    name: 'alarms-of-other-groups',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'where ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)} ${openness}',
    replace: 'where true ${openness}',
    why: 'A restaurant group would see the troubles of another one.',
    caughtBy: { file: `${TESTS}/backoffice/alarms.test.ts`, name: /a group sees and takes note/ },
  },
  {
    name: 'alarms-last-note-wins',
    file: `${SOURCE}/alarm-store.ts`,
    find: ' and guid = ${guid} and acknowledged_at is null`;',
    replace: ' and guid = ${guid}`;',
    why: 'Whoever looked at an alarm first would lose the note to a second one.',
    caughtBy: { file: `${TESTS}/backoffice/alarms.test.ts`, name: /exactly one counts/ },
  },
  {
    name: 'alarms-page-by-instant-alone',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'and (raised_at, guid) < (${after.raisedAt}::timestamptz, ${after.guid}::uuid)`',
    replace: 'and raised_at < ${after.raisedAt}::timestamptz`',
    why: 'Of two alarms of one instant the second would be on no page.',
    caughtBy: { file: `${TESTS}/backoffice/alarms.test.ts`, name: /pages hold every alarm once/ },
  },
  {
    name: 'alarms-told-without-row',
    file: `${SOURCE}/record.ts`,
    find: 'if (alarm && isAlarmed) tellAlarm',
    replace: 'if (alarm) tellAlarm',
    why: 'Somebody would be called again and again, and find no alarm that is new.',
    caughtBy: {
      file: `${TESTS}/payments/payment-metrics.test.ts`,
      name: /an alarm that is raised again is told once/,
    },
  },
  {
    name: 'alarms-untold-after-lost-commit',
    file: `${SOURCE}/record.ts`,
    find: 'move.alarm !== null && (await findAlarm(sql, guids.alarm, everywhere)) !== null;',
    replace: 'false;',
    why: 'A payment would wait in REVIEW for a person whom nobody called.',
    caughtBy: {
      file: `${TESTS}/payments/payment-metrics.test.ts`,
      name: /an alarm whose COMMIT was not answered/,
    },
  },
  {
    name: 'alarms-told-again-after-lost-commit',
    file: `${SOURCE}/record.ts`,
    find: 'move.alarm !== null && (await findAlarm(sql, guids.alarm, everywhere)) !== null;',
    replace: 'move.alarm !== null;',
    why: 'Somebody would be called again, and find no alarm that is new.',
    caughtBy: {
      file: `${TESTS}/payments/payment-metrics.test.ts`,
      name: /an alarm whose COMMIT was not answered/,
    },
  },
  {
    name: 'alarms-silent-after-note',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'and acknowledged_at > ${dayBefore} and acknowledged_at <= ${row.raisedAt})',
    replace: 'and acknowledged_at is not null)',
    why: 'A guest’s money would stay held, and nobody would hear of it again.',
    caughtBy: { file: `${TESTS}/payments/alarms.test.ts`, name: /told of again a day after/ },
  },
  {
    name: 'alarms-at-each-try-after-note',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'where not exists (',
    replace: 'where true or not exists (',
    why: 'Whoever took note of an alarm would be called again five minutes later.',
    caughtBy: { file: `${TESTS}/payments/alarms.test.ts`, name: /told of again a day after/ },
  },
  {
    name: 'alarms-note-of-the-future',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'and acknowledged_at > ${dayBefore} and acknowledged_at <= ${row.raisedAt})',
    replace: 'and acknowledged_at > ${dayBefore})',
    why: 'After a sandbox’s clock went back nobody would be told until it is there again.',
    caughtBy: { file: `${TESTS}/payments/alarms.test.ts`, name: /silences nothing/ },
  },
  {
    name: 'alarms-open-twice',
    file: 'packages/server/migrations/0001-baseline.sql',
    find: 'create unique index payment_alarm_open_of_payment',
    replace: 'create index payment_alarm_open_of_payment',
    why: 'One trouble would be told as several, and need as many notes.',
    caughtBy: { file: `${TESTS}/payments/alarms.test.ts`, name: /open one alarm/ },
  },
  {
    name: 'metrics-alarms-never-closed',
    file: `${SOURCE}/alarm-store.ts`,
    find: 'where acknowledged_at is null group by kind`',
    replace: 'group by kind`',
    why: 'What calls a person would never stop, and so be switched off.',
    caughtBy: { file: `${TESTS}/payments/payment-metrics.test.ts`, name: /open alarms show/ },
  },
  {
    name: 'metrics-unsettled-without-voids',
    file: `${SOURCE}/unsettled-store.ts`,
    find: "'CAPTURE_PENDING', 'VOID_PENDING')",
    replace: "'CAPTURE_PENDING')",
    why: 'Holds that the processor does not give up would show in no number.',
    caughtBy: {
      file: `${TESTS}/payments/payment-metrics.test.ts`,
      name: /what the processor does not settle shows/,
    },
  },
  {
    name: 'metrics-without-follow-ups',
    file: `${SOURCE}/payment-metrics.ts`,
    find: 'lateApprovalInquiry: findOverdueFollowUps',
    replace: 'lateApprovalInquiry: findOverdue',
    why: 'Holds that nobody asks about any more would show nowhere.',
    caughtBy: {
      file: `${TESTS}/payments/payment-metrics.test.ts`,
      name: /an attempt that is to be asked about again shows/,
    },
  },
  {
    name: 'metrics-of-what-is-to-come',
    file: `${SOURCE}/due-store.ts`,
    find: 'where due_at <= ${now} and (lease_expires_at is null or lease_expires_at <= ${realNow}',
    replace: 'where (due_at is not null',
    why: 'Payments that wait for their deadline would look like work that nobody does.',
    caughtBy: { file: `${TESTS}/payments/payment-metrics.test.ts`, name: /work that is overdue/ },
  },
];
