import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Write } from '@servery/server/backoffice/group-document/canonical.ts';
import { exportGroup } from '@servery/server/backoffice/group-document/export.ts';
import type { Config } from '@servery/server/config.ts';
import { withPlatform } from '../platform.ts';
import type { Terminal } from '../terminal.ts';

/** The options of `servery export`. */
export interface ExportFlags {
  /** Name or GUID; absent for the only group there is. */
  readonly group?: string;
  /** A file; absent for standard output. */
  readonly out?: string;
}

/** `servery export`: writes the canonical document of a group, as of one instant. */
export async function runExport(
  config: Config,
  flags: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  const say = (line: string) => terminal.err.write(`${line}\n`);
  await withPlatform(config, say, ({ database }) =>
    toTarget(flags.out, terminal, (write) => exportGroup(database, flags.group ?? null, write)),
  );
}

/**
 * Lets `produce` write to a file, which appears whole or not at all, or to standard output when
 * `file` is undefined.
 */
export async function toTarget(
  file: string | undefined,
  terminal: Terminal,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (file === undefined) {
    await produce((text) => pushed(terminal.out, text));
    return;
  }
  const draft = `${file}.part`;
  const stream = createWriteStream(draft);
  const ended = finished(stream);
  try {
    await Promise.race([produce((text) => pushed(stream, text)), ended]);
    stream.end();
    await ended;
    await rename(draft, file);
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
  terminal.err.write(`Wrote ${file}.\n`);
}

/** Writes and waits while the reader is slower than we are. */
function pushed(stream: NodeJS.WritableStream, text: string): Promise<void> | void {
  if (!stream.write(text)) return new Promise((resolve) => stream.once('drain', () => resolve()));
}
