import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../command.ts';
import { fileFailure, writePrivate } from '../files.ts';
import { profileFile } from '../profiles.ts';

/** Who listens, where, and what for. Each has its own cursor. */
export interface Listener {
  readonly url: string;
  /** Null where only an access token is known. */
  readonly clientId: string | null;
  /** Null when events are only shown. */
  readonly forwardTo: string | null;
}

/** What is kept of a listener between runs, in the directory of the profiles. */
export interface CursorFile {
  /** After the last event that was handled; null before the first one. */
  readCursor(): Promise<string | null>;
  writeCursor(cursor: string): Promise<void>;
  /** What forwards to the receiver are signed with; null before the first run. */
  readSecret(): Promise<string | null>;
  writeSecret(secret: string): Promise<void>;
}

const SHORT = 16;

/**
 * The files of a listener, which only the user can read; null where the user has no directory for
 * settings. A receiver has one secret for all its paths, so that it is set up once.
 */
export function cursorFile(env: Environment, listener: Listener): CursorFile | null {
  const profiles = profileFile(env);
  if (profiles === null) return null;
  const { url, clientId, forwardTo } = listener;
  const receiver = { url, clientId, origin: forwardTo === null ? null : new URL(forwardTo).origin };
  const folder = path.join(path.dirname(profiles), 'listen');
  const fileOf = (keys: object, ending: string) => {
    const key = JSON.stringify(Object.values(keys));
    const name = createHash('sha256').update(key).digest('hex').slice(0, SHORT);
    return path.join(folder, name + ending);
  };
  const cursors = fileOf({ url, clientId, forwardTo }, '.json');
  const secrets = fileOf(receiver, '.secret.json');
  return {
    readCursor: () => readKept(cursors, 'cursor'),
    writeCursor: (cursor) => writePrivate(cursors, { ...listener, cursor }),
    readSecret: () => readKept(secrets, 'secret'),
    writeSecret: (secret) => writePrivate(secrets, { ...receiver, secret }),
  };
}

async function readKept(file: string, name: string): Promise<string | null> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const text = kept[name];
    return typeof text === 'string' ? text : null;
  } catch (error) {
    // With a broken file only a place in the stream is lost.
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileFailure(file, 'read', error);
  }
}
