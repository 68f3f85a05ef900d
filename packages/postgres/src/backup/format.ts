import { createHash } from 'node:crypto';
import type { AppliedMigration } from '../migrate.ts';

/** The version of the format that this program writes. It reads this one and older ones. */
export const BACKUP_VERSION = 1;

/** Ends the lines of a section: neither a row of COPY nor a line of JSON looks like this. */
export const SECTION_END = '\\.\n';

export interface BackupTable {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
}

/**
 * The first line of a backup. Instants are ISO 8601 in UTC. `Facts` are what the program that uses
 * this package says of the database.
 */
export interface BackupHeader<Facts = unknown> {
  readonly format: string;
  readonly version: number;
  /** Names the backup, for people and for the key check. */
  readonly id: string;
  /** The instant of the snapshot by the database's own clock. */
  readonly createdAt: string;
  readonly program: string;
  readonly postgres: string;
  readonly facts: Facts;
  readonly migrations: readonly AppliedMigration[];
  /** The id, sealed with the master key, in base64: no other key opens it. */
  readonly keyCheck: string;
  /** In an order in which each refers only to earlier ones. */
  readonly tables: readonly BackupTable[];
  /** Names of what comes after the tables: lines that are not in the database. */
  readonly attachments: readonly string[];
  readonly leftOut: readonly string[];
}

export interface SectionStart {
  readonly section: 'table' | 'attachment';
  readonly name: string;
}

export interface SectionEnd {
  readonly end: string;
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupTrailer {
  readonly trailer: true;
  readonly sections: number;
  readonly rows: number;
  readonly sha256: string;
  /** A MAC of the digest with the master key, in base64. */
  readonly mac: string;
}

export interface BackupCounts {
  readonly tables: number;
  readonly rows: number;
}

/** The backup cannot be used here; the message says why, and what to do. */
export class BackupRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupRefused';
  }
}

export const keyCheckContext = (id: string): string => `backup/${id}`;

export const TRAILER_PURPOSE = 'backup';

/** The refusal of a file that differs from what was written; `what` is the evidence. */
export function damaged(what: string, cause?: unknown): BackupRefused {
  return new BackupRefused(
    `this is not the backup as it was written: ${what}. Take another copy, or another backup.`,
    cause,
  );
}

const LINE_FEED = 0x0a;

export class SectionDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  /** Takes whole lines, each with its line feed. */
  update(lines: Uint8Array): void {
    this.#hash.update(lines);
    for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) {
      this.#rows += 1;
    }
  }

  /** No more lines may follow. */
  end(name: string): SectionEnd {
    return { end: name, rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

export function isSameSection(one: SectionEnd, other: SectionEnd): boolean {
  return one.end === other.end && one.rows === other.rows && one.sha256 === other.sha256;
}
