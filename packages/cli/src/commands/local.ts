import { load } from '@servery/server';
import { type AnyCommand, command } from '../command.ts';
import { dataDirFlags } from '../data-dir.ts';
import { CommandFailure } from '../exit-codes.ts';
import { argument, several, text, toggle } from '../values.ts';

const out = { out: text('<file>', 'a file instead of standard output') };
const profiles = ['demo', 'empty', 'huge'] as const;

/** The commands that start something, or work on the database itself. What they need is heavy. */
export const localCommands: readonly AnyCommand[] = [
  command({
    name: 'start',
    summary: 'Start the server, with the flags in docs/reference/settings.md',
    examples: ['servery start --port 4500 --data-dir sandbox'],
    on: 'nothing',
    hasNoJson: true,
    takesAnything: true,
    arguments: { flags: several('settings') },
    run: async ({ env, args: { flags } }) => {
      const { run } = await load.run();
      const code = await run(env, [...dataDirFlags(env), ...flags]);
      if (code !== 0) throw new CommandFailure('', code);
      return null;
    },
  }),
  command({
    name: 'import',
    summary: 'Check a group document and import it, all or nothing',
    examples: ['servery import group.json --check'],
    on: 'database',
    arguments: { file: argument('the document; - for standard input') },
    options: {
      replace: toggle('make an existing group match the document exactly'),
      check: toggle('only check the document'),
    },
    run: async (call) =>
      (await import('./documents.ts')).importDocument(call, call.args.file, call.options),
  }),
  command({
    name: 'export',
    summary: 'Export a management group as a document',
    examples: ['servery export --group Wrenfield --out group.json'],
    on: 'database',
    hasNoJson: true,
    options: { group: text('<group>', 'name or GUID, when there are several'), ...out },
    run: async (call) => (await import('./documents.ts')).exportDocument(call, call.options),
  }),
  command({
    name: 'export postman',
    summary: 'Write a Postman collection of the operations for partners',
    examples: ['servery export postman --out servery.postman_collection.json'],
    on: 'nothing',
    hasNoJson: true,
    options: {
      url: text('<address>', 'address of the platform (default: that of the sandbox here)'),
      brand: text('<name>', 'brand of the platform, which begins the names of its headers'),
      ...out,
    },
    run: async (call) => (await import('./export-postman.ts')).exportPostman(call, call.options),
  }),
  command({
    name: 'generate',
    summary: 'Write the group document of a sandbox profile',
    examples: ['servery generate demo --out group.json'],
    on: 'nothing',
    hasNoJson: true,
    arguments: { profile: { ...argument('profile of a sandbox'), choices: profiles } },
    options: out,
    run: async (call) =>
      (await import('./documents.ts')).generateDocument(call, call.args.profile, call.options.out),
  }),
  command({
    name: 'processor',
    summary: 'Run the card processor of the sandbox as a separate process',
    examples: ['servery processor --port 4600'],
    on: 'nothing',
    hasNoJson: true,
    options: {
      host: {
        ...{ placeholder: '<address>', help: 'address to listen on', fallback: '127.0.0.1' },
        type: () => '',
      },
      port: text('<number>', '0 picks a free one (default: the port of the last run)'),
      ledger: text('<file>', 'ledger file (default: in the data directory)'),
    },
    run: async (call) => (await import('./processor.ts')).runProcessor(call, call.options),
  }),
  command({
    name: 'backup',
    summary: 'Back up a whole environment to one file, even while it runs',
    examples: [
      'servery backup servery-2026-03-01.backup',
      'servery backup verify servery-2026-03-01.backup',
    ],
    on: 'database',
    arguments: { file: argument('a new file, for example servery-2026-03-01.backup') },
    run: async (call) => (await import('./backup.ts')).backUp(call, call.args.file),
  }),
  command({
    name: 'backup verify',
    summary: 'Restore a backup into a scratch database, and check that it is sound',
    examples: ['servery backup verify servery-2026-03-01.backup'],
    on: 'database',
    arguments: { file: argument('a backup') },
    options: {
      scratchUrl: text('<url>', 'a PostgreSQL to use instead of an embedded one'),
    },
    run: async (call) =>
      (await import('./restore.ts')).verifyBackup(call, call.args.file, call.options.scratchUrl),
  }),
  command({
    name: 'restore',
    summary: 'Restore a backup into an empty database, all or nothing',
    examples: ['servery restore servery-2026-03-01.backup --data-dir restored'],
    on: 'database',
    arguments: { file: argument('a backup') },
    run: async (call) => (await import('./restore.ts')).restore(call, call.args.file),
  }),
  command({
    name: 'migrate',
    summary: 'Migrate the database to the newest version; starting the server does this, too',
    examples: ['servery migrate --dry-run', 'servery migrate status'],
    on: 'database',
    options: { dryRun: toggle('only show what would be applied') },
    run: async (call) => (await import('./migrate.ts')).migrateDatabase(call, call.options.dryRun),
  }),
  command({
    name: 'migrate status',
    summary: 'Show applied and pending migrations; exit code 1 when they do not match',
    examples: ['servery migrate status'],
    on: 'database',
    run: async (call) => (await import('./migrate.ts')).migrationStatus(call),
  }),
  command({
    name: 'migrate distribute',
    summary: 'Move the tables of restaurants to the workers of a Citus cluster',
    examples: ['servery migrate distribute --database-url postgres://coordinator/servery'],
    on: 'database',
    run: async (call) => (await import('./migrate.ts')).distributeDatabase(call),
  }),
  command({
    name: 'doctor',
    summary: 'Find problems and how to fix them',
    examples: ['servery doctor', 'servery doctor --json'],
    on: 'database',
    run: async (call) => (await import('./doctor.ts')).examineAll(call),
  }),
];
