import { type HandlerOf, partnerOf } from '../../http/operation.ts';
import { readCursor } from '../events/cursor.ts';
import { readEventPage } from '../events/read-events.ts';
import type { StreamEventsDeps } from './stream.ts';

export const listEventsHandler =
  ({ database: { sql } }: StreamEventsDeps): HandlerOf<'platform.events.list'> =>
  async ({ principal, query: { after, pageSize, ...filter } }) => {
    const partnerGuid = partnerOf(principal);
    const cursor = readCursor('after', after);
    return { json: await readEventPage(sql, { partnerGuid, ...filter }, cursor, pageSize) };
  };
