import type {
  ExplainedBudget,
  ExplainedCaller,
  ExplainedPayment,
  ExplainedRestaurant,
  ExplainedStatement,
  ExplainedStatements,
  ExplainedToken,
  RequestExplanation,
  Scope,
} from '@servery/contract';
import type { RequestNotes } from '../http/notes.ts';
import { type Caller, grantsOf } from '../http/operation.ts';
import type { Explained, FinishedRequest } from '../http/pipeline/observe.ts';
import { cleanText, cut } from '../text/clean-text.ts';

/** What the log keeps of how a response came about. Who reads it makes sentences of it. */
export interface RequestFacts
  extends Pick<
    RequestExplanation,
    'rule' | 'answeredFrom' | 'isRepeat' | 'token' | 'caller' | 'budget' | 'payment' | 'statements'
  > {
  readonly restaurant: ExplainedRestaurant['outcome'];
}

type Request = Pick<
  FinishedRequest,
  'operation' | 'caller' | 'explained' | 'realAtMs' | 'restaurantGuid'
>;

const GRANTS = 20;
const STATEMENT_CHARACTERS = 120;
const TEXT_CHARACTERS = 300;

/** Null if nobody wants the request explained. */
export function factsOf({
  operation,
  caller,
  explained,
  ...request
}: Request): RequestFacts | null {
  if (!explained) return null;
  const { notes } = explained;
  return {
    answeredFrom: notes ? 'HANDLER' : 'MEMORY',
    rule: notes?.refusal?.rule ?? null,
    isRepeat: notes?.isRepeat ?? false,
    token: tokenOf(caller, notes),
    caller: caller && callerOf(caller, operation?.scope ?? null),
    budget: budgetOf(explained.rate),
    restaurant: notes ? notes.restaurant : request.restaurantGuid === null ? null : 'REACHED',
    payment: notes?.payment ? paymentOf(notes.payment) : null,
    statements: notes && statementsOf(notes),
  };
}

function tokenOf(caller: Caller | null, notes: RequestNotes | null): ExplainedToken {
  const none = { clientId: null, problem: null, issuedAt: null, expiresAt: null };
  if (caller?.type === 'PERSON') return { ...none, kind: 'SESSION' };
  if (caller) {
    const { clientId, tokenIssuedAtMs, tokenExpiresAtMs } = caller;
    const [issuedAt, expiresAt] = [instantOf(tokenIssuedAtMs), instantOf(tokenExpiresAtMs)];
    return { ...none, kind: 'TOKEN', clientId, issuedAt, expiresAt };
  }
  const refused = notes?.refusal?.token;
  if (!refused) return { ...none, kind: 'NONE' };
  return { ...none, kind: refused.problem === 'missing' ? 'NONE' : 'TOKEN', ...refused };
}

const instantOf = (ms: number) => new Date(ms).toISOString();

function callerOf(caller: Caller, scope: Scope | null): ExplainedCaller {
  const { type } = caller;
  const isPerson = caller.type === 'PERSON';
  return {
    type,
    name: isPerson ? null : cut(cleanText(caller.name), TEXT_CHARACTERS),
    scopes: isPerson ? [] : [...caller.scopes],
    grants: grantsOf(caller)
      .slice(0, GRANTS)
      .map(({ scopes, place }) => ({
        place: place.kind,
        guid: place.kind === 'platform' ? null : place.guid,
        holdsScope: scope !== null && scopes.has(scope),
      })),
  };
}

function budgetOf(rate: Explained['rate']): ExplainedBudget | null {
  if (!rate) return null;
  return {
    by: rate.isOfOperation ? 'ENDPOINT' : rate.by,
    remaining: rate.remaining,
    resetAt: rate.resetSeconds,
    retryAfterSeconds: rate.allowed ? null : rate.retryAfterSeconds,
  };
}

function paymentOf(noted: Partial<ExplainedPayment>): ExplainedPayment {
  return {
    cardProblem: noted.cardProblem ?? null,
    testCard: noted.testCard ?? null,
    deniedBy: noted.deniedBy ?? null,
    limit: noted.limit ?? null,
    processor: noted.processor ?? null,
    state: noted.state ?? null,
  };
}

function statementsOf({
  statements: { count, totalMs, first },
}: RequestNotes): ExplainedStatements {
  return { count, totalMs: rounded(totalMs), first: first.map(statementOf) };
}

function statementOf({
  statement,
  durationMs,
}: RequestNotes['statements']['first'][number]): ExplainedStatement {
  const parts = typeof statement === 'string' ? statement : statement.join('…');
  const text = parts.replaceAll(/\s+/g, ' ').trim();
  return { text: cut(text, STATEMENT_CHARACTERS), durationMs: rounded(durationMs) };
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;
