import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Write } from '@servery/server/backoffice/group-document/canonical.ts';
import { exportGroup, UnclearGroup } from '@servery/server/backoffice/group-document/export.ts';
import type { Config } from '@servery/server/config.ts';
import { invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
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

/**
 * Lets `produce` write to a file, which appears whole or not at all, or to standard output when
 * `file` is undefined.
 */
export async function toTarget(
  file: string | undefined,
  { terminal, signal }: CommandContext,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (file === undefined) {
    await produce((text) => pushed(terminal.out, text, signal));
    return;
  }
  const draft = `${file}.part`;
  const stream = createWriteStream(draft);
  const ended = finished(stream).catch((error: unknown) => {
    throw fileFailure(file, 'written', error);
  });
  try {
    await Promise.race([produce((text) => pushed(stream, text, signal)), ended]);
    stream.end();
    await ended;
    await rename(draft, file).catch((error: unknown) => {
      throw fileFailure(file, 'written', error);
    });
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
  terminal.err.write(`Wrote ${file}.\n`);
}

/** Writes, and waits while the reader is slower than we are. Throws the signal's reason. */
async function pushed(
  stream: NodeJS.WritableStream,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (stream.write(text)) return;
  await once(stream, 'drain', { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
