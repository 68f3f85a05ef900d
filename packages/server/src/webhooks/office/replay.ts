import type { RequestOf } from '@servery/contract';
import type { Faults } from '../../http/faults.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { countReplay, replayEvents } from '../delivery/replay.ts';
import type { ReplaySelection } from '../delivery/replay-store.ts';
import { authorityOf, type ChangeWebhooksDeps } from './change.ts';

type Body = RequestOf<'backOffice.webhooks.replay'>['body'];

const fieldsOf = {
  EVENT: ['eventGuid'],
  RANGE: ['fromPosition', 'toPosition'],
  SINCE: ['since'],
  FAILED: [],
} as const satisfies Record<Body['which'], readonly (keyof Body)[]>;

export const replayEventsHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.replay'> =>
  async (request) => {
    const { params, body, faults } = request;
    const { endpointGuid } = params;
    const { dryRun: isDryRun, expectedCount = null, requestGuid = null } = body;
    const selection = selectionOf(body, faults);
    const authority = authorityOf(request, deps);
    const asked = { endpointGuid, selection, expectedCount, requestGuid };
    const replayed = isDryRun
      ? { ...(await countReplay(deps, asked, authority)), requestGuid: null }
      : await replayEvents(deps, asked, authority);
    return { json: { endpointGuid, isDryRun, ...replayed } };
  };

function selectionOf(body: Body, faults: Faults): ReplaySelection {
  const { which, eventGuid, fromPosition, toPosition, since } = body;
  const needed: readonly (keyof Body)[] = fieldsOf[which];
  for (const name of Object.values(fieldsOf).flat()) {
    if (!needed.includes(name)) {
      if (body[name] !== undefined) faults.add([name], `must be left out for ${which}`);
    } else if (body[name] === undefined) {
      faults.addMissing([name], `is required for ${which} and missing`);
    } else if (body[name] === null) faults.add([name], `must not be null for ${which}`);
  }
  const range = { kind: 'range', from: fromPosition ?? 0, to: toPosition ?? 0 } as const;
  if (range.from > (toPosition ?? range.from))
    faults.add(['toPosition'], 'must not be before fromPosition');
  faults.refuse();
  if (eventGuid) return { kind: 'event', eventGuid };
  if (since) return { kind: 'since', at: new Date(since) };
  return which === 'RANGE' ? range : { kind: 'failed' };
}
