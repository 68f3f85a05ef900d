import {
  backOfficeScopes,
  brandedHeaders,
  type LoggedRequestDetails,
  type ReplayedRequest,
} from '@servery/contract';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import { ApiError } from '../../http/errors.ts';
import { type Caller, grantsOf, type Sent } from '../../http/operation.ts';
import { reachOf } from '../../reach/reach.ts';
import { billingPlaceOf, presentAnew, withEncryptedCard } from './card.ts';
import { compareAnswers } from './compare.ts';
import { noteOfDates } from './note-of-dates.ts';
import type { ReplayEnvironment, ReplayTarget, ReplayTargets, Sender } from './ports.ts';
import type { Rebuilt } from './rebuild.ts';
import { sendAgain } from './send.ts';
import type { WhoSent } from './who-sent.ts';

export interface ReplayDeps {
  readonly brand: string;
  /** The environment that is addressed. */
  readonly here: ReplayEnvironment;
  readonly targets: ReplayTargets;
}

export interface Replay {
  readonly logged: LoggedRequestDetails;
  readonly rebuilt: Rebuilt;
  /** The places that the caller gave values for. */
  readonly places: readonly string[];
  readonly who: WhoSent;
  readonly caller: Caller;
  /** Null for a new copy. */
  readonly into: string | null;
  readonly origin: ChangeOrigin;
}

/** Throws ApiError; then nothing is left of what was made for it. */
export async function replay(deps: ReplayDeps, asked: Replay): Promise<Sent<ReplayedRequest>> {
  const { here, targets } = deps;
  const { logged, into, who, caller, origin } = asked;
  const { requestId, method, path } = logged;
  if (into === null) await requireMayActAs(here, who.sender, caller);
  const target =
    into === null
      ? await targets.copy(origin, { requestId, method, path })
      : await targets.enter(into);
  let isDone = false;
  try {
    await requireMayActAs(target.environment, who.sender, caller);
    const answered = await replayInto(deps, target, asked);
    isDone = true;
    return answered;
  } finally {
    target.leave();
    if (!isDone) await target.undo();
  }
}

/** Acting as the sender, the caller would gain the scopes that it holds (ACC-5). */
async function requireMayActAs(
  environment: ReplayEnvironment,
  sender: Sender,
  caller: Caller,
): Promise<void> {
  const grants = grantsOf(caller);
  const held = backOfficeScopes.filter((scope) => reachOf(grants, scope).isPlatform);
  const lacking = (await environment.scopesOf(sender)).filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return;
  throw new ApiError(
    'forbidden',
    `The caller of the logged request holds ${lacking.join(', ')}, which you don't hold on the ` +
      'whole platform: ask somebody who does to replay it.',
  );
}

async function replayInto(
  { brand, targets }: ReplayDeps,
  target: ReplayTarget,
  asked: Replay,
): Promise<Sent<ReplayedRequest>> {
  const { logged, rebuilt, who } = asked;
  const { environment } = target;
  const { sender } = who;
  const nowMs = await environment.readNowMs();
  const signedIn = await environment.signIn(sender);
  if (rebuilt.card) presentAnew(rebuilt, rebuilt.card, nowMs - Date.parse(logged.at));
  const requestIdHeader = brandedHeaders(brand).requestId;
  const again = await send().finally(() => signedIn.signOut());
  const { requestId, status, answerHeaders, answerBody } = again;
  return {
    ...{ into: target.name, baseUrl: environment.baseUrl(), expiresAt: target.expiresAt },
    ...{ demo: target.demo, requestId, status, answerHeaders, answerBody },
    notes: [...notesOf(who, rebuilt, again), ...noteOfDates(asked, nowMs)],
    ...compareAnswers(logged, again, targets.mainUrl()),
  };

  async function send(): Promise<LoggedRequestDetails> {
    const { method, path, headers } = rebuilt;
    const body = await bodyOf(environment, rebuilt, sender);
    const sent = { method, path, headers: { ...headers, ...signedIn.headers }, body };
    return await sendAgain(target, sent, requestIdHeader);
  }
}

async function bodyOf(
  environment: ReplayEnvironment,
  { body, card }: Rebuilt,
  sender: Sender,
): Promise<string | null> {
  if (body === undefined) return null;
  if (!card || sender.kind !== 'client') return JSON.stringify(body);
  const encrypted = await environment.encryptCard(sender.clientId, card.card, billingPlaceOf(body));
  return JSON.stringify(withEncryptedCard(body, card, encrypted));
}

function notesOf(
  { note }: WhoSent,
  { params, card }: Rebuilt,
  { fault }: LoggedRequestDetails,
): string[] {
  return [
    note ?? '',
    card
      ? `The log has no card or guest data: payment ${params.paymentUuid} was sent, with the test ` +
        `card "${card.card.description}" and a test guest.`
      : '',
    fault === null ? '' : `An injected fault touched the new request: ${fault}.`,
  ].filter((text) => text !== '');
}
