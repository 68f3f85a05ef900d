import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { refuseStrangeClientId } from '../../http/strange-client-id.ts';
import type { RequestStreams, StreamPlace } from '../streams.ts';

export interface StreamRequestsDeps {
  readonly requestStreams: RequestStreams;
}

const EVENT_ID = /^(\d{1,15})-(.+)$/;

export const streamRequestsHandler =
  ({ requestStreams }: StreamRequestsDeps): HandlerOf<'backOffice.requests.stream'> =>
  async (request) => {
    refuseStrangeClientId(request);
    const from = readPlace(request.headers['last-event-id']);
    const { by, query, reach, reachNow } = request;
    return { stream: requestStreams.open({ by, reachNow, filter: { ...query, reach } }, from) };
  };

/** Throws ApiError `badRequest` for an id that is not ours. */
function readPlace(header: string | readonly string[] | undefined): StreamPlace | null {
  if (header === undefined || header === '') return null;
  const [, loggedAtMs, rest = ''] = EVENT_ID.exec(String(header)) ?? [];
  const requestId = parseGuid(rest);
  if (requestId !== null) return { loggedAtMs: Number(loggedAtMs), requestId };
  throw new ApiError('badRequest', 'Last-Event-ID is not the id of an event of this stream.');
}
