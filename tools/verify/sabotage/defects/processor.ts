import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments/processors';
const TESTS = 'packages/server/test/payments/processors';

/** Defects of the processor's adapter, and of the simulator and its ledger. */
export const processorDefects: readonly Defect[] = [
  {
    name: 'processor-answer-before-fsync',
    file: `${SOURCE}/simulator/core.ts`,
    find: '  await deps.journal.settled();\n  return spoilt',
    replace: '  return spoilt',
    why: 'A crash would lose holds that were answered.',
    caughtBy: {
      file: `${TESTS}/ledger.test.ts`,
      name: /I2: the simulator answers what is durable/,
    },
  },
  {
    name: 'processor-torn-line-kept',
    file: `${SOURCE}/simulator/journal-file.ts`,
    find: 'if (isTorn) {',
    replace: 'if (isTorn && soundBytes < 0) {',
    why: 'The next entry would be glued to the torn one, and both be lost.',
    caughtBy: { file: `${TESTS}/ledger.test.ts`, name: /a line that was torn is cut off/ },
  },
  {
    name: 'processor-two-writers',
    file: `${SOURCE}/simulator/ledger-lock.ts`,
    find: "if (liveness !== 'gone')",
    replace: "if (liveness === 'silent')",
    why: 'Two processes would write one ledger, each without the holds of the other.',
    caughtBy: { file: `${TESTS}/ledger.test.ts`, name: /of many that start at once one has/ },
  },
  {
    name: 'processor-any-key-believed',
    file: `${SOURCE}/http.ts`,
    find: 'if (key !== order.key && !(key === null && isRefused))',
    replace: 'if (key === null && !isRefused)',
    why: 'The answer to another payment would be taken for the answer to this one.',
    caughtBy: {
      file: `${TESTS}/http.test.ts`,
      name: /P8: the answer to another key is an unknown/,
    },
  },
  {
    name: 'processor-broken-connection-not-processed',
    file: `${SOURCE}/exchange.ts`,
    find: 'reject(hasLeft ? error : new NothingSent(reason));',
    replace: 'reject(new NothingSent(reason));',
    why: 'A payment whose answer was lost would be repeated, and held twice.',
    caughtBy: {
      file: `${TESTS}/http.test.ts`,
      name: /P8: no answer after sending is an unknown/,
    },
  },
  {
    name: 'processor-another-ledger',
    file: `${SOURCE}/own-ledger.ts`,
    find: 'if (own !== null && expected !== null && own.id !== expected)',
    replace: 'if (own !== null && own.id === null)',
    why: 'What one server holds would be unknown to the other, and the guest would pay twice.',
    caughtBy: {
      file: `${TESTS}/own-ledger.test.ts`,
      name: /I1: a ledger that another environment began is refused/,
    },
  },
  {
    name: 'processor-ledger-begun-anew',
    file: `${SOURCE}/open.ts`,
    find: 'if (known !== null && !(await exists(ledgerFile)))',
    replace: 'if (known === undefined)',
    why: 'A ledger that was lost would be replaced by one that knows no hold.',
    caughtBy: {
      file: `${TESTS}/own-ledger.test.ts`,
      name: /I1: a ledger that was deleted is not silently begun anew/,
    },
  },
  {
    name: 'processor-ledger-name-not-kept',
    file: `${SOURCE}/simulator/run.ts`,
    find: 'ledger.id() ?? (await nameLedger(ledger, journal))',
    replace: 'await nameLedger(ledger, journal)',
    why: 'Every restart of the processor would be taken for another ledger.',
    caughtBy: { file: `${TESTS}/ledger.test.ts`, name: /I1: a ledger has one name for ever/ },
  },
  {
    name: 'processor-call-for-another-ledger',
    file: `${SOURCE}/simulator/http-server.ts`,
    find: 'asked === undefined || own === null || asked === own',
    replace: 'asked === undefined || own === null || asked !== null',
    why: 'A ledger that was exchanged while servers run would say that holds are not there.',
    caughtBy: {
      file: `${TESTS}/simulator-http.test.ts`,
      name: /I1: a call meant for another ledger has no effect/,
    },
  },
  {
    name: 'processor-orphan-lives-on',
    file: `${SOURCE}/simulator/child.ts`,
    find: "const stopped = Promise.race([ended, once(process, 'SIGTERM')]);",
    replace: "void ended;\n  const stopped = once(process, 'SIGTERM');",
    why: 'A killed server would leave its simulator behind for ever.',
    caughtBy: { file: `${TESTS}/keeper.test.ts`, name: /I1: a killed server leaves no simulator/ },
  },
];
