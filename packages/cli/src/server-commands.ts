import type { Command } from 'commander';
import { addBackups } from './backup-commands.ts';
import type { BackupContext } from './commands/backup.ts';

/** Adds the commands for whoever looks after the machine: backup, restore, migrate and doctor. */
export function addServerCommands(program: Command, deps: BackupContext): void {
  addBackups(program, deps);
}
