import type { Client } from '@servery/client/back-office';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { isGuid } from '../readers.ts';

const BEGINNING = '0';
const PAGE_SIZE = 200;

/** Where to start: a cursor, the GUID of the first event, or null for now. */
export type Since = { readonly cursor: string | null } | { readonly eventGuid: string };

/** Reads `--since`. Throws CommandFailure for what is none. */
export function readSince(text: string): Since {
  if (text === 'now') return { cursor: null };
  if (text === 'beginning') return { cursor: BEGINNING };
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return { cursor: text };
  if (isGuid(text)) return { eventGuid: text.toLowerCase() };
  throw invalidUsage(
    '--since must be a cursor, for example 41.0, the GUID of an event, beginning, or now.',
  );
}

/** The cursor to start at. Throws CommandFailure for an event that the partner does not have. */
export async function cursorAt(client: Client, since: Since): Promise<string | null> {
  if ('cursor' in since) return since.cursor;
  for (let after = BEGINNING; ; ) {
    const query = { after, pageSize: PAGE_SIZE };
    const page = await client.call('platform.events.list', { query });
    const found = page.results.find(({ event }) => event.guid === since.eventGuid);
    if (found) return String(found.position - 1);
    if (!page.hasMore) throw notKept(since.eventGuid);
    after = page.nextCursor;
  }
}

function notKept(eventGuid: string): CommandFailure {
  return new CommandFailure(
    `the partner has no event ${eventGuid}. It is no longer kept, belongs to another partner, or ` +
      'was made up. To get a made-up event again, use the cursor of the line before it: ' +
      '--print-json shows it.',
    exitCodes.refused,
  );
}
