import type { Config } from '@servery/server/config/config.ts';
import { exportGroup, UnclearGroup } from '@servery/server/group-document/export.ts';
import { invalidUsage } from '../exit-codes.ts';
import { toTarget } from '../output-file.ts';
import { type CommandContext, requireDatabase, withDatabase } from '../platform.ts';

/** The options of `servery export`. */
export interface ExportFlags {
  /** Name or GUID; absent for the only group there is. */
  readonly group?: string;
  /** A file; absent for standard output. */
  readonly out?: string;
}

/** Whoever reads the output may take a break, with the one instant of the export held open. */
const TIME_LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

/**
 * `servery export`: writes the canonical document of a group, as of one instant. Throws
 * CommandFailure when it is not clear which group is meant, or for a file that cannot be written.
 */
export async function runExport(
  config: Config,
  flags: ExportFlags,
  context: CommandContext,
): Promise<void> {
  await requireDatabase(config);
  await withDatabase(config, context, TIME_LIMITS, (database) =>
    toTarget(flags.out, context, (write) => exportGroup(database, flags.group ?? null, write)),
  ).catch((error: unknown) => {
    throw error instanceof UnclearGroup ? invalidUsage(error.message) : error;
  });
}
