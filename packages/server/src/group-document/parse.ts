import { InvalidGroupDocument } from './faults.ts';
import { locateSyntaxFaults, withLines } from './locate.ts';
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
  if (text.trim() === '') throw invalidAt(1, 'the document is empty');
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
    // The text that stands for the broken bytes gives other bytes.
    const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const at = Buffer.from(lossy).findIndex((byte, index) => byte !== bytes[index]);
    const line = Buffer.from(bytes.subarray(0, at)).toString('latin1').split('\n').length;
    throw invalidAt(line, 'the text is not UTF-8 on this line; save the document as UTF-8');
  }
}

function invalidAt(line: number, message: string): InvalidGroupDocument {
  return new InvalidGroupDocument([{ line, column: 1, path: '', message }], 1);
}

function tooDeep(text: string, offset: number): InvalidGroupDocument {
  const message = `nested deeper than ${MAX_DOCUMENT_DEPTH} levels, which no document needs`;
  return new InvalidGroupDocument(withLines(text, [{ offset, path: '', message }]), 1);
}
