import { constants, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LedgerEntry } from './ledger.ts';

/** Where the entries of a ledger go. */
export interface Journal {
  /** The entry is durable when `settled` resolves. */
  append(entry: LedgerEntry): void;
  /** Rejects when the entries so far can't be written: nothing that depends on them may be answered. */
  settled(): Promise<void>;
}

/** Keeps nothing: its ledger lives as long as the process. */
export const noJournal: Journal = { append: () => {}, settled: async () => {} };

/** A line of JSON for each entry. */
export interface JournalFile extends Journal {
  /** What the file held when it was opened, oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** It can't be written anymore. */
  readonly hasFailed: boolean;
  /** Waits until everything is durable. */
  close(): Promise<void>;
}

interface Batch {
  readonly lines: string[];
  readonly done: PromiseWithResolvers<void>;
}

const LINE_FEED = 0x0a;

/**
 * Creates a missing file. Cuts off an end that a crash left half written: nobody got an answer for
 * it. Throws an Error when an earlier line is damaged, because the only record about money must not
 * be guessed. Entries that arrive during a write are written together.
 */
export async function openJournalFile(path: string): Promise<JournalFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const journal = await read(await open(path, 'a+', 0o600), path);
  await syncFolder(dirname(path)).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  return journal;
}

/** Like `openJournalFile`, but never creates a file. */
export async function reopenJournalFile(path: string): Promise<JournalFile> {
  return read(await open(path, constants.O_RDWR | constants.O_APPEND), path);
}

async function read(file: FileHandle, path: string): Promise<JournalFile> {
  try {
    const { entries, soundBytes, isTorn } = readEntries(await file.readFile(), path);
    if (isTorn) {
      await file.truncate(soundBytes);
      await file.datasync();
    }
    return new Writer(file, entries);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class Writer implements JournalFile {
  readonly entries: readonly LedgerEntry[];
  hasFailed = false;
  readonly #file: FileHandle;
  #waiting: Batch | null = null;
  #isWriting = false;
  #last: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, entries: readonly LedgerEntry[]) {
    this.#file = file;
    this.entries = entries;
  }

  append(entry: LedgerEntry): void {
    this.#waiting ??= newBatch();
    this.#waiting.lines.push(`${JSON.stringify(entry)}\n`);
    this.#last = this.#waiting.done.promise;
    if (!this.#isWriting) void this.#write();
  }

  settled(): Promise<void> {
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last.finally(() => this.#file.close());
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting) {
      const batch: Batch = this.#waiting;
      this.#waiting = null;
      try {
        await this.#file.appendFile(batch.lines.join(''));
        await this.#file.datasync();
        batch.done.resolve();
      } catch (error) {
        batch.done.reject(error);
        // Later entries would follow a gap, so they fail too.
        this.#fail(error);
        return;
      }
    }
    this.#isWriting = false;
  }

  #fail(error: unknown): void {
    this.hasFailed = true;
    const waiting = this.#waiting as Batch | null;
    waiting?.done.reject(error);
    this.#last = Promise.reject(error);
    this.#last.catch(() => {});
    this.append = () => {};
  }
}

function newBatch(): Batch {
  const done = Promise.withResolvers<void>();
  // Prevents an unhandled rejection when nobody waits.
  done.promise.catch(() => {});
  return { lines: [], done };
}

function readEntries(bytes: Buffer, path: string) {
  const entries: LedgerEntry[] = [];
  let start = 0;
  let torn: { from: number; line: number } | null = null;
  for (let line = 1; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const entry = end < 0 ? null : parse(bytes.toString('utf8', start, end));
    if (!entry) torn ??= { from: start, line };
    else if (torn) throw new Error(`${path} is damaged at line ${torn.line}: restore the file`);
    else entries.push(entry);
    start = end < 0 ? bytes.length : end + 1;
  }
  return { entries, soundBytes: torn?.from ?? bytes.length, isTorn: torn !== null };
}

function parse(line: string): LedgerEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as LedgerEntry) : null;
  } catch {
    return null;
  }
}

/** Otherwise a crash of the machine could lose the file. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
