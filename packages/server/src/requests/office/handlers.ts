import type { HandlersOf } from '../../http/operation.ts';
import { getRequestHandler } from './get.ts';
import { type ListRequestsDeps, listRequestsHandler } from './list.ts';
import { type StreamRequestsDeps, streamRequestsHandler } from './stream.ts';

export type RequestLogDeps = ListRequestsDeps & StreamRequestsDeps;

export const requestLogHandlers = (deps: RequestLogDeps): HandlersOf<'backOffice.requests.'> => ({
  'backOffice.requests.list': listRequestsHandler(deps),
  'backOffice.requests.get': getRequestHandler(deps),
  'backOffice.requests.stream': streamRequestsHandler(deps),
});
