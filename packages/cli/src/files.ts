import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  ENOTDIR: 'its directory is a file',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** What a person is told when a file cannot be `read` or `written`. */
export function fileFailure(
  file: string,
  what: 'read' | 'written',
  error: unknown,
): CommandFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (file === '') return invalidUsage(`a file without a name cannot be ${what}. Name one.`);
  const missing = what === 'read' ? 'there is no such file' : 'there is no such directory';
  const reason = code === 'ENOENT' ? missing : (REASONS[code] ?? message);
  return new CommandFailure(`${file} cannot be ${what}: ${reason}`, exitCodes.failure, {
    cause: error,
  });
}

/** Writes JSON that only the user can read, whole or not at all. Throws CommandFailure. */
export async function writePrivate(file: string, content: object): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    throw fileFailure(file, 'written', error);
  }
}

/** The bytes of a file, or of standard input for `-`. Throws CommandFailure. */
export async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw fileFailure(file, 'read', error);
  }
}
