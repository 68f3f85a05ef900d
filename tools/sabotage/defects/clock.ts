import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const TESTS = 'packages/server/test/sandbox';
const MOVES = `${TESTS}/move-clock.test.ts`;

/** Defects of the clock that a sandbox can move. */
export const clockDefects: readonly Defect[] = [
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
    name: 'clock-budget-stands',
    file: `${SOURCE}/http/application.ts`,
    find: 'realNowMs: deps.realClock.nowMs(),',
    replace: 'realNowMs: deps.clock.nowMs(),',
    why: 'Whoever used up a budget under a frozen clock would never get another one.',
    caughtBy: { file: `${TESTS}/served-clock.test.ts`, name: /budgets go on in real time/ },
  },
];
