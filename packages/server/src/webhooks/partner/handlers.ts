import type { HandlersOf } from '../../http/operation.ts';
import { listEventsHandler } from './list.ts';
import { type StreamEventsDeps, streamEventsHandler } from './stream.ts';

export const partnerEventHandlers = (deps: StreamEventsDeps): HandlersOf<'platform.events.'> => ({
  'platform.events.list': listEventsHandler(deps),
  'platform.events.stream': streamEventsHandler(deps),
});
