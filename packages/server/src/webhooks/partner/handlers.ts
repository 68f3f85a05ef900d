import type { HandlersOf } from '../../http/operation.ts';
import { type ListEventsDeps, listEventsHandler } from './list.ts';
import { type StreamEventsDeps, streamEventsHandler } from './stream.ts';

export type PartnerEventDeps = ListEventsDeps & StreamEventsDeps;

export const partnerEventHandlers = (deps: PartnerEventDeps): HandlersOf<'platform.events.'> => ({
  'platform.events.list': listEventsHandler(deps),
  'platform.events.stream': streamEventsHandler(deps),
});
