import type { HandlersOf } from '../../http/operation.ts';
import type { ReadDetailsDeps } from '../read-details.ts';
import { getRequestHandler } from './get.ts';
import { type ListRequestsDeps, listRequestsHandler } from './list.ts';
import { type ReplayRequestDeps, replayRequestHandler } from './replay.ts';
import { type StreamRequestsDeps, streamRequestsHandler } from './stream.ts';

export type RequestLogDeps = ListRequestsDeps &
  ReadDetailsDeps &
  ReplayRequestDeps &
  StreamRequestsDeps;

export const requestLogHandlers = (deps: RequestLogDeps): HandlersOf<'backOffice.requests.'> => ({
  'backOffice.requests.list': listRequestsHandler(deps),
  'backOffice.requests.get': getRequestHandler(deps),
  'backOffice.requests.replay': replayRequestHandler(deps),
  'backOffice.requests.stream': streamRequestsHandler(deps),
});
