import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';

interface Noting {
  add(path: readonly (string | number)[], message: string): void;
}

export function checkSameGuid(sent: unknown, own: string, faults: Noting): void {
  if (sent === undefined || (typeof sent === 'string' && parseGuid(sent) === own)) return;
  faults.add(['guid'], `never changes; leave it out, or send ${own}`);
}

/** Archiving has its own operations. */
export function checkSameArchived(
  sent: unknown,
  own: boolean,
  path: readonly string[],
  faults: Noting,
): void {
  if (sent === undefined || sent === own) return;
  faults.add(path, `is ${own}; use ${own ? 'unarchive' : 'archive'} to change it`);
}

/** Throws ApiError `conflict` when someone else changed it first. */
export function requireVersion(sent: number | undefined, version: number): void {
  if (sent === undefined || sent === version) return;
  throw new ApiError(
    'conflict',
    `It has changed since you read it: its version is ${version}, and you sent version ` +
      `${sent}. Read it again, then send your change.`,
  );
}
