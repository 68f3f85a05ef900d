import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Write } from '@servery/server';
import { newRandomId } from '@servery/support/ids.ts';
import type { Context } from './command.ts';
import { fileFailure } from './files.ts';

/**
 * Lets `produce` write to a file, which appears whole or not at all, or to standard output when
 * `file` is undefined. An existing target that is not a regular file (a device or a pipe) is written to directly.
 */
export async function toTarget(
  file: string | undefined,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (file === undefined) {
    await produce((text) => pushed(terminal.out, text, signal));
    return;
  }
  const place = await placeOf(file);
  const draft = place === null ? file : `${place.path}.${newRandomId()}.part`;
  const stream = createWriteStream(draft, place ? { mode: place.mode } : {});
  const ended = finished(stream).catch((error: unknown) => {
    throw fileFailure(file, 'written', error);
  });
  try {
    await Promise.race([produce((text) => pushed(stream, text, signal)), ended]);
    stream.end();
    await ended;
    if (place !== null) {
      await rename(draft, place.path).catch((error: unknown) => {
        throw fileFailure(file, 'written', error);
      });
    }
  } catch (error) {
    stream.destroy();
    // It may still be opening the file.
    if (!stream.closed) await once(stream, 'close').catch(() => {});
    if (place !== null) await rm(draft, { force: true });
    throw error;
  }
  terminal.err.write(`Wrote ${file}.\n`);
}

interface Place {
  readonly path: string;
  readonly mode: number;
}

const NEW_FILE = 0o666;
const PERMISSIONS = 0o777;

/**
 * Where the file itself is, or is to be, links followed; null for what is there and no file. One
 * that is there is read by nobody else afterwards.
 */
async function placeOf(file: string): Promise<Place | null> {
  const found = await stat(file).catch(() => null);
  if (!found) return { path: file, mode: NEW_FILE };
  return found.isFile() ? { path: await realpath(file), mode: found.mode & PERMISSIONS } : null;
}

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
