import { createHash } from 'node:crypto';

/** Counts and hashes the lines of a section. */
export interface SectionDigest {
  /** Takes whole lines, each with its line feed. */
  update(lines: Uint8Array): void;
  rows(): number;
  /** SHA-256 in hexadecimal; no more lines may follow. */
  sha256(): string;
}

const LINE_FEED = 0x0a;

/** Starts counting and hashing a section. */
export function digestSection(): SectionDigest {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    update(lines) {
      hash.update(lines);
      for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) {
        rows += 1;
      }
    },
    rows: () => rows,
    sha256: () => hash.digest('hex'),
  };
}
