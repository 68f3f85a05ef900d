import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Violation } from './violation.ts';

/** Files that name the test cards on purpose. */
const EXCUSED = /(^|\/)demo\.json(\.new)?$/;

/**
 * Looks for card numbers in every file below a folder, among them those of the database (PAY-I7). A
 * number that stands there is a violation, whoever wrote it.
 */
export async function huntCanaries(
  folder: string,
  cardNumbers: readonly string[],
): Promise<Violation[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !EXCUSED.test(file));
  const wanted = new RegExp(cardNumbers.join('|'), 'g');
  const longest = Math.max(...cardNumbers.map(({ length }) => length));
  const found: Violation[] = [];
  for (const file of files) {
    const numbers = await findIn(file, wanted, longest).catch(noneIfGone);
    if (numbers.length === 0) continue;
    found.push({ rule: 'PAY-I7', subject: file, text: `holds ${numbers.length} card numbers` });
  }
  return found;
}

/** The database removes files while it runs. */
function noneIfGone(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function findIn(file: string, wanted: RegExp, longest: number): Promise<string[]> {
  const found: string[] = [];
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1' })) {
    const text = rest + chunk;
    found.push(...(text.match(wanted) ?? []));
    rest = text.slice(1 - longest);
  }
  return found;
}
