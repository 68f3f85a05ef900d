import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const LATER = /\b(TODO|FIXME|XXX)\b/;

/** Holds comments to what is true now rather than what is to be done. */
export function checkComments({ path, comments, lineAt }: Source): Finding[] {
  const message = 'A comment defers work. Use an issue, or do it now, instead.';
  return comments
    .filter(({ value }) => LATER.test(value))
    .map(({ start }) => ({ path, line: lineAt(start), rule: 'later', message }));
}
