import { brandedHeaders, type ErrorClass, errorClasses, faultText } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { ApiError } from '../http/errors.ts';
import type { Answer, RestaurantContext } from '../http/operation.ts';
import type {
  FaultedRequest,
  OrderedFaults,
  RequestFault,
  SpoiltDelivery,
} from '../http/pipeline/ordered-faults.ts';
import { tokenRefused } from '../tokens/authenticate.ts';
import { durationMs, type Fault, phaseOf, readFaultText } from './fault.ts';
import type { FaultRules } from './fault-rules.ts';
import type { ActiveRule } from './fault-store.ts';
import { isOfPartners, isUntouchable, missingIn } from './fitting-operations.ts';
import type { ServedRequests } from './processor-faults.ts';
import { withUnknownValues } from './unknown-values.ts';

export interface RequestFaultsDeps {
  readonly brand: string;
  readonly rules: FaultRules;
  readonly served: ServedRequests;
  readonly stopping: AbortSignal;
  /** Raises the publish number of a restaurant, and changes nothing else. */
  readonly publish: (restaurant: RestaurantContext, requestId: string) => Promise<void>;
}

export function requestFaults(deps: RequestFaultsDeps): OrderedFaults {
  const header = brandedHeaders(deps.brand).sandboxFault.toLowerCase();
  return {
    mayTouch: ({ headers }) => headers[header] !== undefined || deps.rules.has(isOfRequests),
    async take(request) {
      const { operation } = request;
      if (!operation || isUntouchable(operation)) return null;
      const text = request.raw.headers[header];
      if (text !== undefined) return faultOf(deps, request, readHeader(deps, request, `${text}`));
      const taken = await deps.rules.take((rule) => isOfRequests(rule) && fits(rule, request));
      return faultOf(deps, request, taken?.fault ?? null);
    },
  };
}

const REQUEST_PHASES: readonly string[] = ['before', 'after', 'paging'];

const isOfRequests = ({ phase }: ActiveRule): boolean => REQUEST_PHASES.includes(phase);

function fits(rule: ActiveRule, request: FaultedRequest): boolean {
  const { operation, caller, restaurant } = request;
  if (!operation) return false;
  const clientId = caller && caller.type !== 'PERSON' ? caller.clientId : null;
  return (
    (rule.operation === null ? isOfPartners(operation) : rule.operation === operation.id) &&
    (rule.clientId === null || rule.clientId === clientId) &&
    (rule.restaurantGuid === null || rule.restaurantGuid === restaurant?.guid) &&
    whyUnfit(rule.fault, request) === null
  );
}

/** What the fault needs and the request lacks; null for nothing. */
function whyUnfit(fault: Fault, { operation, query, restaurant }: FaultedRequest): string | null {
  const { kind, call } = fault;
  const isOfPayment = operation?.id === 'creditCards.authorize';
  switch (phaseOf(fault)) {
    case 'webhooks':
      return 'touches no request: order it with POST /backoffice/v1/faults';
    case 'processor':
      return isOfPayment && kind !== 'captureRefused' && (call ?? 'authorize') === 'authorize'
        ? null
        : 'touches no call of this request to the processor: order it with POST /backoffice/v1/faults';
    default:
  }
  const missing = missingIn(kind, operation);
  if (missing !== null) return `needs ${missing}`;
  const isLaterPage = query.pageToken !== undefined && restaurant !== null;
  return kind === 'publicationBetweenPages' && !isLaterPage
    ? 'needs a later page: send a pageToken'
    : null;
}

function readHeader({ brand }: RequestFaultsDeps, request: FaultedRequest, text: string): Fault {
  const name = brandedHeaders(brand).sandboxFault;
  const fault = readFaultText(text);
  if (typeof fault === 'string') throw new ApiError('badRequest', `The header ${name} ${fault}.`);
  const why = whyUnfit(fault, request);
  if (why === null) return fault;
  throw new ApiError('badRequest', `The header ${name} orders ${fault.kind}, which ${why}.`);
}

/** What happens to the answer, once there is one. */
function deliveryOf(fault: Fault | null): SpoiltDelivery | null {
  switch (fault?.kind) {
    case 'hang':
      return { kind: 'hang' };
    case 'droppedConnection':
    case 'lostAnswer':
      return { kind: 'dropped' };
    case 'truncatedAnswer':
      return { kind: 'truncated' };
    case 'slowBody':
      return { kind: 'slow', durationMs: durationMs(fault.duration ?? '') ?? 0 };
    default:
      return null;
  }
}

/** Without a fault of its own, a request may still be touched by one of its calls to the processor. */
function faultOf(
  deps: RequestFaultsDeps,
  request: FaultedRequest,
  fault: Fault | null,
): RequestFault {
  const isOfProcessor = fault !== null && phaseOf(fault) === 'processor';
  const happened = new Set(fault === null || isOfProcessor ? [] : [faultText(fault)]);
  return {
    happened,
    delivery: deliveryOf(fault),
    serve: (handle) =>
      deps.served.run({ ordered: isOfProcessor ? fault : null, happened }, () =>
        fault === null ? handle() : serve(deps, request, fault, handle),
      ),
  };
}

async function serve(
  { stopping, publish }: RequestFaultsDeps,
  { operation, restaurant, requestId }: FaultedRequest,
  fault: Fault,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  switch (fault.kind) {
    case 'status':
      throw injected(classOf(fault.status ?? 0), fault);
    case 'tooManyRequests':
      throw injected('tooManyRequests', fault, { 'retry-after': `${fault.retryAfterSeconds}` });
    case 'expiredToken':
      throw tokenRefused('expired', null);
    case 'revokedToken':
      throw tokenRefused('revoked', null);
    case 'hang':
    case 'droppedConnection':
      // Nobody sees it; the log of requests does.
      throw injected('unavailable', fault);
    case 'latency':
      await sleep(durationMs(fault.duration ?? '') ?? 0, stopping).catch(() => {});
      return await handle();
    case 'duplicatedRequest':
      await handle().catch(() => null);
      return await handle();
    case 'publicationBetweenPages':
      if (restaurant) await publish(restaurant, requestId);
      return await handle();
    case 'unknownValues': {
      const answer = await handle();
      return operation ? withUnknownValues(operation, answer) : answer;
    }
    default:
      return await handle();
  }
}

function injected(
  errorClass: ErrorClass,
  fault: Fault,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  const message = `${errorClasses[errorClass].title}: the fault ${faultText(fault)} was injected.`;
  return new ApiError(errorClass, message, { headers });
}

/** The first one with the status. */
function classOf(status: number): ErrorClass {
  const names = Object.keys(errorClasses) as ErrorClass[];
  return names.find((name) => errorClasses[name].status === status) ?? 'unavailable';
}
