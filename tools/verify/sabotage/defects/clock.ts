import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const TESTS = 'packages/server/test/sandbox';
const MOVES = `${TESTS}/move-clock.test.ts`;

/** Defects of the clock that a sandbox can move. */
export const clockDefects: readonly Defect[] = [
  {
    name: 'clock-next-of-what-is-done',
    file: `${SOURCE}/sandbox/move-clock.ts`,
    find: 'return isOver ? moved : (await toNext()).moved;',
    replace: 'return moved;',
    why: 'The next deadline would not come when the platform did what was overdue by itself.',
    caughtBy: { file: MOVES, name: /what was overdue and is done meanwhile/ },
  },
  {
    name: 'clock-two-movers',
    file: `${SOURCE}/sandbox/clock-store.ts`,
    find: 'where id = 1 and version = ',
    replace: 'where id = 1 and version >= 0 * ',
    why: 'Two moves at once would each take the clock to where the other does not expect it.',
    caughtBy: { file: MOVES, name: /409: of 16 movers at once/ },
  },
  {
    name: 'clock-work-at-the-target',
    file: `${SOURCE}/sandbox/move-clock.ts`,
    find: 'await hold.standAt(next.dueMs)',
    replace: 'await hold.standAt(hold.targetMs)',
    why: 'A capture of Monday would be dated to the Friday to which the clock was moved.',
    caughtBy: { file: MOVES, name: /each at its own instant/ },
  },
  {
    name: 'clock-lease-not-renewed',
    file: `${SOURCE}/sandbox/clock-hold.ts`,
    find: 'const isOurs = await updateMoverLease(database.sql, mover, moverExpiresAt);',
    replace: 'const isOurs = false;',
    why: 'Other processes would join in the work of a move that takes longer than five seconds.',
    caughtBy: { file: MOVES, name: /takes longer than the lease/ },
  },
  {
    name: 'clock-background-goes-on',
    file: `${SOURCE}/sandbox/clock.ts`,
    find: 'return !isMoving(this.#row, this.#deps.realClock.nowMs());',
    replace: 'return true;',
    why: 'Background work would do what the move ought to list.',
    caughtBy: { file: `${TESTS}/clock.test.ts`, name: /background work of all others pauses/ },
  },
  {
    name: 'clock-old-look-counts',
    file: `${SOURCE}/sandbox/clock.ts`,
    find: 'if (!isOlder) this.#row = row;',
    replace: 'this.#row = row;',
    why: 'A process would act on deadlines by a time that the clock was set back from.',
    caughtBy: { file: `${TESTS}/clock.test.ts`, name: /though another began earlier/ },
  },
  {
    name: 'clock-brought-back-in-a-move',
    file: `${SOURCE}/sandbox/bring-back.ts`,
    find: 'if (!(await clock.refresh())) return;',
    replace: 'await clock.refresh();',
    why: 'Work would fall due in the middle of a move that has its own idea of the time.',
    caughtBy: { file: `${TESTS}/clock.test.ts`, name: /work far ahead is brought back/ },
  },
  {
    name: 'clock-move-outlives-stop',
    file: `${SOURCE}/sandbox/move-clock.ts`,
    find: 'if (stopping?.aborted) return',
    replace: 'if (stopping && pieces < 0) return',
    why: 'A server that is told to stop would go on for minutes with a move of the clock.',
    caughtBy: { file: MOVES, name: /a server that stops ends the move/ },
  },
  {
    name: 'clock-next-of-others',
    file: `${SOURCE}/backoffice/clock/mover.ts`,
    find: 'source.work.nextDueMs(reach)',
    replace: 'source.work.nextDueMs(null)',
    why: 'A group would read, in production too, when others’ orders come in and are closed out.',
    caughtBy: {
      file: 'packages/server/test/backoffice/clock.test.ts',
      name: /is told of its own deadlines/,
    },
  },
  {
    name: 'clock-stop-tells-of-others',
    file: `${SOURCE}/backoffice/clock/routes.ts`,
    find: 'stoppedBecause === null || reach.isPlatform ? stoppedBecause : STOPPED',
    replace: 'stoppedBecause',
    why: 'A group would be told how much work others have.',
    caughtBy: {
      file: 'packages/server/test/backoffice/clock.test.ts',
      name: /why it stopped early is told/,
    },
  },
  {
    name: 'clock-next-of-the-restaurant-beside',
    file: `${SOURCE}/payments/due-store.ts`,
    find: 'and merchant_guid = guid`',
    replace: 'and merchant_guid is not null`',
    why: 'A group with nothing due would be told the deadline of a restaurant of another.',
    caughtBy: {
      file: 'packages/server/test/payments/due-store.test.ts',
      name: /what its own restaurants have due/,
    },
  },
  {
    name: 'clock-next-walks-all-payments',
    file: `${SOURCE}/payments/due-store.ts`,
    find: '(merchant_guid, due_at) >= (restaurant.guid, ',
    replace: 'merchant_guid = restaurant.guid and due_at >= (',
    why: 'Each look of a group at the clock could read all that is open on the platform.',
    caughtBy: {
      file: 'packages/server/test/payments/due-store.test.ts',
      name: /read from indexes/,
    },
  },
  {
    name: 'clock-budget-stands',
    file: `${SOURCE}/http/application.ts`,
    find: 'realNowMs: before?.realNowMs ?? deps.realClock.nowMs(),',
    replace: 'realNowMs: deps.clock.nowMs(),',
    why: 'Whoever used up a budget under a frozen clock would never get another one.',
    caughtBy: { file: `${TESTS}/served-clock.test.ts`, name: /budgets go on in real time/ },
  },
  {
    name: 'clock-falls-behind-held-up-reading',
    file: `${SOURCE}/support/clock.ts`,
    find: 'offsetMs = Math.min(Math.max(offsetMs, readMs - answeredMs), readMs - askedMs);',
    replace: 'offsetMs = readMs - answeredMs;',
    why: 'The clock of a process that was held up for seconds went back by as much.',
    caughtBy: {
      file: `${SOURCE}/support/clock.test.ts`,
      name: /held up on its way takes it back no more/,
    },
  },
];
