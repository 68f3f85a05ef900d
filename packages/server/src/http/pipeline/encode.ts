import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import Negotiator from 'negotiator';

/** Bodies below this many bytes travel in one packet anyway and are not compressed. */
const COMPRESSION_THRESHOLD_BYTES = 1_024;

/** The content codings of answers. */
export type Coding = 'identity' | 'br' | 'zstd' | 'gzip';

/** The library's second argument, our order among equal weights, is missing from its types. */
interface PreferringNegotiator {
  encoding(available: Coding[], preferred: Coding[]): Coding | undefined;
}

const CODINGS: Coding[] = ['zstd', 'br', 'gzip', 'identity'];

// Middle levels: the levels above them cost several times the time for a few per cent of the bytes.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const compressors: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => zstd(bytes),
  gzip: promisify(gzip),
};

/** Clients send few different ones; the first so many are worked out once. */
const CHOICES_KEPT = 200;
const choices = new Map<string, Coding>();

/** The content coding to answer with, from the request's `Accept-Encoding` (decisions API-11). */
export function chooseCoding(acceptEncoding: string | undefined, sizeBytes: number): Coding {
  if (acceptEncoding === undefined || sizeBytes < COMPRESSION_THRESHOLD_BYTES) return 'identity';
  const known = choices.get(acceptEncoding);
  if (known) return known;
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as PreferringNegotiator;
  const coding = negotiator.encoding(CODINGS, CODINGS) ?? 'identity';
  if (choices.size < CHOICES_KEPT) choices.set(acceptEncoding, coding);
  return coding;
}

/** Compresses the bytes with the coding, off the event loop. */
export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'identity' ? bytes : await compressors[coding](bytes);
}

/**
 * The strong entity tag of a body in a content coding (decisions API-11). A strong tag promises equal
 * bytes, so that each coding of one document has a tag of its own (RFC 9110, 8.8.3.3).
 */
export function entityTag(bytes: Buffer, coding: Coding): string {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** True when `If-None-Match` names the tag (RFC 9110, 13.1.2: weak comparison, or `*`). */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((candidate) => candidate.replace(/^W\//, '') === tag);
}
