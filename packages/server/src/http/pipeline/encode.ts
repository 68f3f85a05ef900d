import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import Negotiator from 'negotiator';

const COMPRESSION_THRESHOLD_BYTES = 1_024;

export type Coding = 'identity' | 'br' | 'zstd' | 'gzip';

/** The library's types lack the second argument: our order among equal weights. */
interface PreferringNegotiator {
  encoding(available: Coding[], preferred: Coding[]): Coding | undefined;
}

const CODINGS: Coding[] = ['zstd', 'br', 'gzip', 'identity'];

// Higher levels cost several times the time for a few percent of the bytes.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const compressors: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => zstd(bytes),
  gzip: promisify(gzip),
};

const CHOICES_KEPT = 200;
const choices = new Map<string, Coding>();

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

export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'identity' ? bytes : await compressors[coding](bytes);
}

/** A strong tag promises equal bytes, so each coding has its own (API-11; RFC 9110, 8.8.3.3). */
export function entityTag(bytes: Buffer, coding: Coding): string {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** RFC 9110, 13.1.2: weak comparison, or `*`. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((candidate) => candidate.replace(/^W\//, '') === tag);
}
