import type { Command } from 'commander';
import { withExamples } from './command-shape.ts';
import type { BackupContext, BackupFlags } from './commands/backup.ts';
import type { VerifyFlags } from './commands/restore.ts';
import { configOf, onPlatform, type PlatformFlags } from './platform-flags.ts';

/** Adds `servery backup`, `backup verify` and `restore`: all of an environment, in a file. */
export function addBackups(program: Command, deps: BackupContext): void {
  const backup = onPlatform(program.command('backup'))
    .description('write all that the environment holds into one file, while it runs')
    .argument('<file>', 'a new file, such as servery-2026-03-01.backup')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: BackupFlags & PlatformFlags) => {
      const { runBackup } = await import('./commands/backup.ts');
      await runBackup(configOf(deps.env, flags), file, flags, deps);
    });
  withExamples(backup, [
    'servery backup servery-2026-03-01.backup',
    'servery backup verify servery-2026-03-01.backup',
  ]);
  withExamples(backup.command('verify'), ['servery backup verify servery-2026-03-01.backup'])
    .description('restore a backup into a scratch database, and say whether it is sound')
    .argument('<file>', 'a backup')
    .option('--scratch-url <url>', 'a PostgreSQL to do it on, instead of an embedded one')
    .action(async (file: string, _flags: unknown, command: Command) => {
      const { runBackupVerify } = await import('./commands/restore.ts');
      const flags = command.optsWithGlobals<VerifyFlags & PlatformFlags>();
      await runBackupVerify(configOf(deps.env, flags), file, flags, deps);
    });
  withExamples(onPlatform(program.command('restore')), [
    'servery restore servery-2026-03-01.backup --data-dir restored',
  ])
    .description('fill an empty database with a backup, all or nothing')
    .argument('<file>', 'a backup')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: BackupFlags & PlatformFlags) => {
      const { runRestore } = await import('./commands/restore.ts');
      await runRestore(configOf(deps.env, flags), file, flags, deps);
    });
}
