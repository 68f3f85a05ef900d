import type { LoggedRequestDetails } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { insertEntry } from '../../audit/entry-store.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import { cleanText } from '../../text/clean-text.ts';
import {
  type ReadDetailsDeps,
  readRequestDetails,
  requireRequestDetails,
} from '../read-details.ts';
import type { TestCard } from '../replay/ports.ts';
import { operationOf, rebuild, refuseUnrepeatable } from '../replay/rebuild.ts';
import { type ReplayDeps, replay } from '../replay/replay.ts';
import { whoSent } from '../replay/who-sent.ts';

const LOOKS = 4;
const LOOK_MS = 300;

export interface ReplayRequestDeps extends ReadDetailsDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly brand: string;
  readonly testCards: readonly TestCard[];
  readonly pause: (durationMs: number) => Promise<void>;
  /** Null in production. */
  readonly replays: () => Omit<ReplayDeps, 'brand'> | null;
}

export const replayRequestHandler =
  (deps: ReplayRequestDeps): HandlerOf<'backOffice.requests.replay'> =>
  async (request) => {
    const { params, body, reach, caller, faults } = request;
    const { brand, testCards: cards, database } = deps;
    const replays = deps.replays();
    if (!replays) throw new Error('this environment replays no requests');
    const logged = await requireSoon(deps, params.requestId, reach);
    const operation = operationOf(logged);
    refuseUnrepeatable(logged, operation);
    const who = whoSent(logged, operation);
    const { set = {}, card, into = null } = body;
    const rebuilt = rebuild(logged, { set, card }, { brand, cards, faults });
    const origin = originOf(request, deps.realClock);
    const json = await replay(
      { brand, ...replays },
      { logged, rebuilt, places: Object.keys(set), who, caller, into, origin },
    );
    const subject = { kind: 'request', id: logged.requestId } as const;
    const after = {
      into: json.into,
      requestId: json.requestId,
      set: Object.keys(set).map(cleanText),
    };
    await database.transaction((sql) => insertEntry(sql, origin, { subject, before: null, after }));
    return { json };
  };

/** Another process of the platform may have answered it, and writes its log twice a second. */
async function requireSoon(
  deps: ReplayRequestDeps,
  requestId: string,
  reach: Reach,
): Promise<LoggedRequestDetails> {
  for (let look = 1; look < LOOKS; look += 1) {
    const logged = await readRequestDetails(deps, requestId, reach);
    if (logged) return logged;
    await deps.pause(LOOK_MS);
  }
  return await requireRequestDetails(deps, requestId, reach);
}
