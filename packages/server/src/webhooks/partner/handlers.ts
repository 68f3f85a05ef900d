import type { HandlersOf } from '../../http/operation.ts';
import { type ListEventsDeps, listEventsHandler } from './list.ts';
import { type StreamEventsDeps, streamEventsHandler } from './stream.ts';

/** What reading the events of a partner needs. */
export type PartnerEventDeps = ListEventsDeps & StreamEventsDeps;

/** What a partner reads of the events that it is told by webhook (PTN-7). */
export const partnerEventHandlers = (deps: PartnerEventDeps): HandlersOf<'platform.events.'> => ({
  'platform.events.list': listEventsHandler(deps),
  'platform.events.stream': streamEventsHandler(deps),
});
