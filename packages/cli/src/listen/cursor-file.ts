import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../connection.ts';
import { fileFailure } from '../files.ts';
import { profileFile } from '../profiles.ts';

/** Who listens, where, and what for: each has a cursor of its own. */
export interface Listener {
  readonly url: string;
  /** Null where only an access token is known. */
  readonly clientId: string | null;
  /** Null when events are only shown. */
  readonly forwardTo: string | null;
}

/** What a listener keeps from one run to the next. */
export interface Kept {
  /** Behind the last event that was done with; null before the first one. */
  readonly cursor: string | null;
  /** What forwards are signed with, so that a receiver can be set up once. */
  readonly secret: string;
}

/** What is kept of a listener, in the folder of the profiles. */
export interface CursorFile {
  /** What the last run kept; null when there was none. */
  read(): Promise<Kept | null>;
  /** Keeps it, whole or not at all; only the user can read it. */
  write(kept: Kept): Promise<void>;
}

const SHORT = 16;

/** The file of a listener; null where the user has no folder for settings: then nothing is kept. */
export function cursorFile(env: Environment, listener: Listener): CursorFile | null {
  const profiles = profileFile(env);
  if (profiles === null) return null;
  const { url, clientId, forwardTo } = listener;
  const key = JSON.stringify([url, clientId, forwardTo]);
  const name = createHash('sha256').update(key).digest('hex').slice(0, SHORT);
  const file = path.join(path.dirname(profiles), 'listen', `${name}.json`);
  return {
    read: () => readKept(file),
    write: (kept) => writeKept(file, { ...listener, ...kept }),
  };
}

async function readKept(file: string): Promise<Kept | null> {
  try {
    const { cursor, secret } = JSON.parse(await readFile(file, 'utf8')) as Kept;
    const isSound = (cursor === null || typeof cursor === 'string') && typeof secret === 'string';
    return isSound ? { cursor, secret } : null;
  } catch (error) {
    // A file that is broken is as good as none: only a place in a stream is lost, and that is told.
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileFailure(file, 'read', error);
  }
}

async function writeKept(file: string, kept: Listener & Kept): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    throw fileFailure(file, 'written', error);
  }
}
