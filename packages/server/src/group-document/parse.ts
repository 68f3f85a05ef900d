import { InvalidGroupDocument } from './faults.ts';
import { locateSyntaxFaults } from './locate.ts';
import { scanJson } from './scan.ts';

/** The format itself needs ten levels. */
const MAX_DOCUMENT_DEPTH = 64;

export interface ParsedDocument {
  readonly text: string;
  readonly value: unknown;
  readonly propertyCount: number;
  /** A double may not keep all its digits. */
  readonly hasLongNumber: boolean;
}

/**
 * Skips a byte order mark. Throws InvalidGroupDocument, with the place of each fault, when the
 * source is not UTF-8 or not JSON.
 */
export function parseDocument(source: string | Uint8Array): ParsedDocument {
  const text = typeof source === 'string' ? source.replace(/^\uFEFF/, '') : decode(source);
  const scan = scanJson(text, MAX_DOCUMENT_DEPTH);
  if (scan.tooDeepAt !== null) throw tooDeep(text, scan.tooDeepAt);
  try {
    return { ...scan, text, value: JSON.parse(text) };
  } catch (error) {
    const faults = locateSyntaxFaults(text);
    // Shows the cause even if the two parsers ever disagree.
    const cause = { line: 1, column: 1, path: '', message: `this is not JSON: ${String(error)}` };
    if (faults.length === 0) faults.push(cause);
    throw new InvalidGroupDocument(faults, faults.length);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const line = lineOfFirstBrokenByte(bytes);
    const message = 'the text is not UTF-8 on this line; save the document as UTF-8';
    throw new InvalidGroupDocument([{ line, column: 1, path: '', message }], 1);
  }
}

function lineOfFirstBrokenByte(bytes: Uint8Array): number {
  // A line feed is never part of a longer UTF-8 sequence, so each line can be checked alone.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}

function tooDeep(text: string, offset: number): InvalidGroupDocument {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const message = `nested deeper than ${MAX_DOCUMENT_DEPTH} levels, which no document needs`;
  return new InvalidGroupDocument([{ line, column, path: '', message }], 1);
}
