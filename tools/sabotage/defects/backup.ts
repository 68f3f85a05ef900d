import type { Defect } from '../defect.ts';

const FOLDER = 'packages/postgres/src/backup/';
const TESTS = 'packages/server/test/db/backup.test.ts';
const COMMAND_TESTS = 'packages/cli/test/backup.test.ts';
const SESSION_TESTS = 'packages/server/test/db/session.test.ts';
const DOCTOR_TESTS = 'packages/cli/test/doctor.test.ts';

/** Defects of backup, restore, migrate and doctor, on which operators lean when all else failed. */
export const backupDefects: readonly Defect[] = [
  {
    name: 'backup-no-snapshot',
    file: `${FOLDER}write-backup.ts`,
    find: "'begin isolation level repeatable read, read only'",
    replace: "'begin'",
    why: 'A backup made while others write would hold halves of what belongs together.',
    caughtBy: { file: TESTS, name: /one instant of a database that others change/ },
  },
  {
    name: 'backup-with-sessions',
    file: 'packages/server/src/database/backup.ts',
    find: '  person_session:',
    replace: '  person_sessions:',
    why: 'A session that somebody ended would be alive again after a restore.',
    caughtBy: { file: COMMAND_TESTS, name: /leaves out the sessions of people/ },
  },
  {
    name: 'backup-with-links',
    file: 'packages/server/src/database/backup.ts',
    find: '  person_invitation:',
    replace: '  person_invitations:',
    why: 'A link for a password that was used or replaced would open again after a restore.',
    caughtBy: { file: COMMAND_TESTS, name: /and links that open/ },
  },
  {
    name: 'backup-end-not-proven',
    file: `${FOLDER}read-backup.ts`,
    find: "if (trailer.sha256 !== sha256 || trailer.mac !== mac.toString('base64')) {",
    replace: 'if (trailer.sha256 !== sha256) {',
    why: 'Whoever can write to the place of the backups could take payments out of one.',
    caughtBy: { file: TESTS, name: /rows that were taken out, though counts and digests fit/ },
  },
  {
    name: 'backup-rows-not-digested',
    file: `${FOLDER}read-backup.ts`,
    find: 'end.rows !== rows || end.sha256 !== digest.sha256()',
    replace: 'end.rows !== rows',
    why: 'Which table of a damaged backup is still whole could not be told.',
    caughtBy: { file: TESTS, name: /names the table that was changed/ },
  },
  {
    name: 'restore-over-tables',
    file: `${FOLDER}restore-backup.ts`,
    find: '  await requireEmpty(sql);\n',
    replace: '',
    why: 'A restore on a database in use would fail in the middle, in words of PostgreSQL.',
    caughtBy: { file: TESTS, name: /a restore never writes over anything/ },
  },
  {
    name: 'restore-commits-early',
    file: `${FOLDER}restore-backup.ts`,
    find: '  const read = await readBackup({',
    replace: "  await sql.unsafe('commit');\n  const read = await readBackup({",
    why: 'A restore that was killed or refused would leave half an environment behind.',
    caughtBy: { file: TESTS, name: /a restore refuses a backup that ends early/ },
  },
  {
    name: 'restore-any-key',
    file: `${FOLDER}read-backup.ts`,
    find: '  requireKey(header, deps.vault);\n',
    replace: '',
    why: 'A restore of hours would end with the word that the master key is another one.',
    caughtBy: { file: TESTS, name: /with another master key is refused at the first line/ },
  },
  {
    name: 'backup-refused-at-last',
    file: `${FOLDER}backup-file.ts`,
    find: '  if (await isThere(file)) throw alreadyThere(file);\n',
    replace: '',
    why: 'A backup of hours would end with the word that its file is there already.',
    caughtBy: { file: `${FOLDER}backup-file.test.ts`, name: /refused before anything is produced/ },
  },
  {
    name: 'backup-over-a-file',
    file: `${FOLDER}backup-file.ts`,
    find: 'await link(draft, file)',
    replace: "await import('node:fs/promises').then(({ rename }) => rename(draft, file))",
    why: 'Two backups at once would leave one, and tell that both are there.',
    caughtBy: { file: `${FOLDER}backup-file.test.ts`, name: /comes to be there meanwhile/ },
  },
  {
    name: 'restore-computed-columns',
    file: `${FOLDER}catalog.ts`,
    find: 'columns.filter(({ isStored }) => isStored).map(',
    replace: 'columns.map(',
    why: 'No backup could be restored: digests of events are computed, and cannot be written.',
    caughtBy: { file: TESTS, name: /has every row of every table/ },
  },
  {
    name: 'copy-in-deaf',
    file: 'packages/postgres/src/session.ts',
    find: '    await Promise.race([sent, refused]);',
    replace: '    await sent;',
    why: 'A restore would wait for ever for what PostgreSQL has refused.',
    caughtBy: { file: TESTS, name: /rows that the database refuses/ },
  },
  {
    name: 'copy-out-stands-still',
    file: 'packages/postgres/src/session.ts',
    find: "pieces.once('end', () => pieces._read(0))",
    replace: 'pieces',
    why: 'Some backups would never end, and hold every old row of the database meanwhile.',
    caughtBy: { file: SESSION_TESTS, name: /goes on after a COPY of whatever length/ },
  },
  {
    name: 'copy-out-left-open',
    file: 'packages/postgres/src/session.ts',
    find: '    connection?.socket.destroySoon();\n',
    replace: '',
    why: 'A backup that failed would hold its snapshot for as long as the process lives.',
    caughtBy: { file: SESSION_TESTS, name: /in the middle of a COPY ends at the server too/ },
  },
  {
    name: 'doctor-blind-to-key',
    file: 'packages/cli/src/doctor/database.ts',
    find: `    return opens
      ? fine(`,
    replace: `    return opens || youngest
      ? fine(`,
    why: 'The doctor would call a machine sound on which no client can log in.',
    caughtBy: { file: DOCTOR_TESTS, name: /a master key that is missing, another one/ },
  },
  {
    name: 'doctor-one-way-clock',
    file: 'packages/cli/src/doctor/database.ts',
    find: 'const size = Math.abs(skewMs);',
    replace: 'const size = skewMs;',
    why: 'A machine whose clock is ahead of the database would look sound.',
    caughtBy: { file: DOCTOR_TESTS, name: /how far the clocks are apart/ },
  },
  {
    name: 'migrate-dry-run-applies',
    file: 'packages/cli/src/commands/migrate.ts',
    find: '    if (flags.dryRun) return { pending: state.pending, applied: [] };\n',
    replace: '',
    why: 'Whoever only wanted to know would have upgraded production.',
    caughtBy: { file: 'packages/cli/test/migrate.test.ts', name: /--dry-run tells what it would/ },
  },
];
