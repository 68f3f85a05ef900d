import type { Command } from 'commander';
import { addBackups } from './backup-commands.ts';
import { withExamples } from './command-shape.ts';
import type { BackupContext } from './commands/backup.ts';
import type { DoctorFlags } from './commands/doctor.ts';
import type { MigrateFlags } from './commands/migrate.ts';
import { configOf, onPlatform, type PlatformFlags } from './platform-flags.ts';

/** Adds the commands for whoever looks after the machine: backup, restore, migrate and doctor. */
export function addServerCommands(program: Command, deps: BackupContext): void {
  addBackups(program, deps);
  addMigrate(program, deps);
  addDoctor(program, deps);
}

function addMigrate(program: Command, deps: BackupContext): void {
  const migrate = onPlatform(program.command('migrate'))
    .description('bring the database to the newest migration, as every start does')
    .option('--dry-run', 'only tell what would be applied')
    .option('--json', 'print JSON')
    .action(async (flags: MigrateFlags & PlatformFlags) => {
      const { runMigrate } = await import('./commands/migrate.ts');
      await runMigrate(configOf(deps.env, flags), flags, deps);
    });
  withExamples(migrate, ['servery migrate --dry-run', 'servery migrate status']);
  withExamples(migrate.command('status'), ['servery migrate status'])
    .description('what is applied and what is not; exit code 1 when they do not fit')
    .action(async (_flags: unknown, command: Command) => {
      const { runMigrateStatus } = await import('./commands/migrate.ts');
      const flags = command.optsWithGlobals<MigrateFlags & PlatformFlags>();
      await runMigrateStatus(configOf(deps.env, flags), flags, deps);
    });
}

function addDoctor(program: Command, deps: BackupContext): void {
  withExamples(onPlatform(program.command('doctor')), ['servery doctor', 'servery doctor --json'])
    .description('look at all that the server stands on, and say what to do')
    .option('--json', 'print JSON')
    .action(async (flags: DoctorFlags & PlatformFlags) => {
      const { runDoctor } = await import('./commands/doctor.ts');
      await runDoctor(() => configOf(deps.env, flags), flags, deps);
    });
}
