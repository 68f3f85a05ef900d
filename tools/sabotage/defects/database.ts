import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/db';
const TESTS = 'packages/server/test/db';

/** Defects of the database's own ways, and of what keeps secrets. */
export const databaseDefects: readonly Defect[] = [
  {
    name: 'database-edited-migration-accepted',
    file: `${SOURCE}/migrate.ts`,
    find: ' || row.checksum !== migration.checksum',
    replace: '',
    why: 'Two databases with the same migrations could have different tables.',
    caughtBy: { file: `${TESTS}/migrate.test.ts`, name: /migration that was edited is refused/ },
  },
  {
    name: 'database-newer-than-program',
    file: `${SOURCE}/migrate.ts`,
    find: 'if (newestApplied && newestApplied.number > newestKnown) {',
    replace: 'if (false) {',
    why: 'An old program would be told to restore a file that it never had.',
    caughtBy: { file: `${TESTS}/migrate.test.ts`, name: /a database that is newer/ },
  },
  {
    name: 'database-commit-unknown-swallowed',
    file: `${SOURCE}/database.ts`,
    find: 'throw isRefusal(error) ? error : new CommitUnknownError(error);',
    replace: 'throw error;',
    why: 'A commit that may have happened would be taken for one that failed.',
    caughtBy: { file: `${TESTS}/database.test.ts`, name: /is reported as unknown/ },
  },
  {
    name: 'database-pieces-mistaken',
    file: `${SOURCE}/flat-statement.ts`,
    find: 'shape.pieces.get(value.strings) ??',
    replace: '[...shape.pieces.values()][0] ??',
    why: 'A statement would be sent with the text of another that begins as it does.',
    caughtBy: {
      file: `${SOURCE}/flat-statement.test.ts`,
      name: /the text is that of those that stand there now/,
    },
  },
  {
    name: 'database-one-trip-lost-is-refused',
    file: `${SOURCE}/one-trip.ts`,
    find: "return { outcome: 'unknown', error: answer.error };",
    replace: "return { outcome: 'refused', error: answer.error, isSound: false };",
    why: 'A commit that may have happened would be taken for one that failed.',
    caughtBy: {
      file: `${TESTS}/one-trip.test.ts`,
      name: /that is .+ but not answered is unknown/,
    },
  },
  {
    name: 'database-one-trip-silence-is-unsent',
    file: `${SOURCE}/one-trip.ts`,
    find: "return { outcome: 'unknown', error: start.error };",
    replace: "return { outcome: 'unsent', error: start.error };",
    why: 'What was sent together with its COMMIT would be done twice.',
    caughtBy: {
      file: `${TESTS}/one-trip.test.ts`,
      name: /that is .+ but not answered is unknown/,
    },
  },
  {
    name: 'database-one-trip-refused-commit-is-done',
    file: `${SOURCE}/one-trip.ts`,
    find: "if (end && 'error' in end) {",
    replace: "if (end && 'error' in end && !isRefusal(end.error)) {",
    why: 'What PostgreSQL refused at COMMIT would be told as recorded.',
    caughtBy: { file: `${TESTS}/one-trip.test.ts`, name: /refused at its COMMIT/ },
  },
  {
    name: 'database-one-trip-without-limits',
    file: `${SOURCE}/database.ts`,
    find: 'begin === PLAIN_BEGIN ? null : begin',
    replace: 'null',
    why: 'What a payment is counted by could be held for ever.',
    caughtBy: { file: `${TESTS}/one-trip.test.ts`, name: /limits hold/ },
  },
  {
    name: 'database-commit-unknown-assumed',
    file: `${SOURCE}/database.ts`,
    find: 'throw isRefusal(error) ? error : new CommitUnknownError(error);',
    replace: "if (isRefusal(error)) throw error;\n    return { command: 'COMMIT' };",
    why: 'A commit that may have failed would be taken for one that happened.',
    caughtBy: { file: `${TESTS}/database.test.ts`, name: /is reported as unknown/ },
  },
  {
    name: 'database-silent-rollback',
    file: `${SOURCE}/database.ts`,
    find: "if ((answer as { command?: string }).command !== 'COMMIT') {",
    replace: 'if (false) {',
    why: 'A transaction that PostgreSQL threw away would be told as done.',
    caughtBy: { file: `${TESTS}/database.test.ts`, name: /that nobody awaited fails/ },
  },
  {
    name: 'database-conflict-not-repeated',
    file: `${SOURCE}/database.ts`,
    find: "return isSqlState(error, '40001') || isSqlState(error, '40P01');",
    replace: "return isSqlState(error, '40P01');",
    why: 'Callers would be told of conflicts that a second try settles.',
    caughtBy: { file: `${TESTS}/database.test.ts`, name: /serialization failures are repeated/ },
  },
  {
    name: 'secrets-lost-master-key-made-anew',
    file: 'packages/server/src/secrets.ts',
    find: 'if (!(await findHasSealed(sql))) {',
    replace: 'if ((await findHasSealed(sql)) !== null) {',
    why: 'A lost key would be replaced, and what it sealed looked for in vain much later.',
    caughtBy: {
      file: 'packages/server/test/master-key.test.ts',
      name: /a master key that was deleted is not made anew/,
    },
  },
  {
    name: 'folder-demo-file-overwritten',
    file: 'packages/server/src/sandbox/prepare.ts',
    find: '  if (occupant) {',
    replace: "  if (occupant?.url === '') {",
    why: 'A second server would take the file from clients of the first.',
    caughtBy: {
      file: 'packages/server/test/sandbox/data-folder.test.ts',
      name: /demo\.json tells of the first server in a folder/,
    },
  },
  {
    name: 'start-port-looked-at-last',
    file: 'packages/server/src/before-start.ts',
    find: '  await requireFreePorts(config, config.tls);\n',
    replace: '',
    why: 'A first start would make a database before it says that its port is taken.',
    caughtBy: {
      file: 'packages/server/test/sandbox/data-folder.test.ts',
      name: /a port that is taken is told before the database is made/,
    },
  },
  {
    name: 'start-second-signal-leaves-database',
    file: 'packages/server/src/run.ts',
    find: 'void giveUpDatabase().then(() => second.resolve(code));',
    replace: 'second.resolve(code);',
    why: 'A PostgreSQL that nobody stops would outlive an impatient operator.',
    caughtBy: {
      file: 'packages/server/test/db/second-signal.test.ts',
      name: /a second Ctrl-C leaves no database behind/,
    },
  },
  {
    name: 'secrets-show-in-json',
    file: 'packages/server/src/support/secret.ts',
    find: 'toJSON(): string {\n    return REDACTED;',
    replace: 'toJSON(): string {\n    return this.#value;',
    why: 'The master key would lie in any log that shows the settings.',
    caughtBy: { file: 'packages/server/src/support/secret.test.ts', name: /Secret: text, JSON/ },
  },
];
