import { type HandlerOf, partnerOf } from '../../http/operation.ts';
import { readCursor } from '../events/cursor.ts';
import { upsertEventReaders } from '../events/event-reader-store.ts';
import { readEventPage } from '../events/read-events.ts';
import { readableTypes } from '../events/types-for.ts';
import type { StreamEventsDeps } from './stream.ts';

export const listEventsHandler =
  ({ database: { sql }, realClock }: StreamEventsDeps): HandlerOf<'platform.events.list'> =>
  async ({ principal, query: { after, pageSize, eventType } }) => {
    const partnerGuid = partnerOf(principal);
    const cursor = readCursor('after', after);
    await upsertEventReaders(sql, [principal.clientId], realClock.nowMs());
    return {
      json: await readEventPage(
        sql,
        { partnerGuid, eventTypes: readableTypes(principal, eventType) },
        cursor,
        pageSize,
      ),
    };
  };
