import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newRandomId } from '@servery/support/ids.ts';

const LINE_FEED = 0x0a;
const BEGINNING_BYTES = 65_536;
const BEGUN_START = '{"type":"begun",';
const BEGUN = /^\{"type":"begun","ledgerId":"([^"]+)"\}$/m;

/** Null without a file, or without a ledger in it. */
export async function findLedgerIdIn(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES));
    return BEGUN.exec(buffer.toString('utf8', 0, bytesRead))?.[1] ?? null;
  } finally {
    await handle.close();
  }
}

/** Whole lines only, while the simulator may add more. Every later copy begins with the same. */
export async function* ledgerLinesOf(file: string): AsyncGenerator<Buffer> {
  const { size } = await stat(file);
  if (size === 0) return;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { end: size - 1 })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    const whole = bytes.lastIndexOf(LINE_FEED) + 1;
    if (whole > 0) yield bytes.subarray(0, whole);
    rest = bytes.subarray(whole);
  }
}

/** Those of `file`, if any, as the ledger of that id. */
export async function* copiedLines(file: string | null, ledgerId: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify({ type: 'begun', ledgerId })}\n`);
  if (file === null) return;
  for await (const lines of ledgerLinesOf(file)) yield withoutBegun(lines);
}

function withoutBegun(lines: Buffer): Buffer {
  const start = lines.indexOf(BEGUN_START);
  if (start < 0) return lines;
  const end = lines.indexOf(LINE_FEED, start) + 1;
  return Buffer.concat([lines.subarray(0, start), lines.subarray(end)]);
}

/** In the names of files that are not ledgers yet. */
export const DRAFT = '.draft-';

export interface WaitingLedger {
  /** Puts it in its place. A ledger there that continues this one stays. */
  put(): Promise<void>;
  forget(): Promise<void>;
}

/** Writes a ledger beside its place, for `put`. */
export async function writeWaitingLedger(
  file: string,
  lines: AsyncIterable<Buffer>,
): Promise<WaitingLedger> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}${DRAFT}${newRandomId()}`;
  const forget = () => rm(draft, { force: true });
  try {
    await pipeline(lines, createWriteStream(draft, { mode: 0o600, flush: true }));
  } catch (error) {
    await forget();
    throw error;
  }
  const put = async () => {
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await refuseOther(file, draft);
    });
    await forget();
  };
  return { put, forget };
}

/** Ledgers only grow: the longer copy contains the shorter one. */
async function refuseOther(file: string, draft: string): Promise<void> {
  const isSame = (await findLedgerIdIn(file)) === (await findLedgerIdIn(draft));
  if (isSame && (await stat(file)).size >= (await stat(draft)).size) return;
  throw new Error(
    isSame
      ? `${file} is there already and is older than the ledger of the backup: move it away, and ` +
          'restore again.'
      : `${file} is there already and is another ledger than that of the backup: name a new ` +
          'folder with --data-dir, or move it away.',
  );
}
