import type { EventPage } from '@servery/contract';
import { isGuid } from '../arguments.ts';
import type { Remote } from '../back-office.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';

const BEGINNING = '0';
const PATH = '/platform/v1/events';
const PAGE_SIZE = '200';

/** Where to begin: a cursor, the GUID of an event that is to come first, or null for now. */
export type Since = { readonly cursor: string | null } | { readonly eventGuid: string };

/** Reads `--since`. Throws CommandFailure for what is none. */
export function readSince(text: string): Since {
  if (text === 'now') return { cursor: null };
  if (text === 'beginning') return { cursor: BEGINNING };
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return { cursor: text };
  if (isGuid(text)) return { eventGuid: text.toLowerCase() };
  throw invalidUsage(
    '--since is no cursor and no event: write a cursor such as 41.0, the GUID of an event, or ' +
      'beginning, or now.',
  );
}

/** The cursor to begin at. Throws CommandFailure for an event that the partner's log has not. */
export async function cursorAt(remote: Remote, since: Since): Promise<string | null> {
  if ('cursor' in since) return since.cursor;
  for (let after = BEGINNING; ; ) {
    const page = await remote.get<EventPage>(PATH, { after, pageSize: PAGE_SIZE });
    const found = page.results.find(({ event }) => event.guid === since.eventGuid);
    if (found) return String(found.position - 1);
    if (!page.hasMore) throw notKept(since.eventGuid);
    after = page.nextCursor;
  }
}

function notKept(eventGuid: string): CommandFailure {
  return new CommandFailure(
    `the partner has no event ${eventGuid}: it is kept no more, or is of another partner, or was ` +
      'only made up. A made up one comes again with the cursor of the line before it, which ' +
      '--print-json shows.',
    exitCodes.refused,
  );
}
