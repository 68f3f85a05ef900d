import { isGuid } from '../arguments.ts';
import { type Query, type Remote, readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { didYouMean } from './did-you-mean.ts';

/** What people call by name. */
export interface Named {
  readonly guid: string;
  /** Null for what has none. */
  readonly name: string | null;
  readonly archived?: boolean;
}

/** Things of one kind, in words. */
export interface Kind {
  readonly one: string;
  readonly several: string;
  /** The command that lists them. */
  readonly listed: string;
}

const LOOKED_AT = 2_000;
const SHOWN_AT_MOST = 8;

/**
 * The GUID of the one that is meant: by GUID, by its whole name, or by a part that only it has.
 * `candidates` gives those that a text finds, and all of them without one, for a suggestion. Throws
 * CommandFailure for a name that none or several have.
 */
export async function oneOf(
  { one, several, listed }: Kind,
  text: string,
  candidates: (search: string | undefined) => Promise<readonly Named[]>,
): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  if (text.trim() === '') throw invalidUsage(`which ${one}? Its name is empty.`);
  const all = await candidates(text);
  const same = all.filter(({ name }) => isSame(name, text));
  const near = all.filter(({ name }) => name?.toLowerCase().includes(text.trim().toLowerCase()));
  const found = same.length > 0 ? same : near;
  const [only] = found;
  if (only && found.length === 1) return only.guid;
  if (!only) {
    const names = (await candidates(undefined)).map(({ name }) => name);
    const meant = didYouMean(text, names) || '.';
    throw invalidUsage(
      `no ${one} within reach is called ${JSON.stringify(text)}${meant} "${listed}" shows what ` +
        'there is.',
    );
  }
  const shown = found.slice(0, SHOWN_AT_MOST);
  const what = same.length > 1 ? 'a GUID' : 'a GUID, or a whole name';
  const list = shown.map((item) => `\n  ${item.guid}  ${labelOf(item)}`).join('');
  throw invalidUsage(
    `several ${several} are called ${JSON.stringify(text)}: write ${what}:${list}`,
  );
}

function labelOf({ name, archived }: Named): string {
  return archived === true ? `${name} (archived)` : `${name}`;
}

/** All that a list of the platform has for a query, as far as anybody looks. */
export async function listedAt<Item extends Named>(
  remote: Remote,
  path: string,
  query: Query,
): Promise<readonly Item[]> {
  return (await readPages<Item>(remote, path, query, LOOKED_AT)).results;
}

/** Whether it has that name, in capitals or not. */
export function isSame(name: string | null, text: string): boolean {
  return name?.trim().toLowerCase() === text.trim().toLowerCase();
}
