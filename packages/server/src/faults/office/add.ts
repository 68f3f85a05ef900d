import { type FaultMatch, operations } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Faults } from '../../http/faults.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { completeFault, phaseOf } from '../fault.ts';
import { deleteEndedRules, findIsClient, findIsRestaurant, listRules } from '../fault-store.ts';
import { whyNever } from '../fitting-operations.ts';
import {
  changeRules,
  newRule,
  type OrderFaultsDeps,
  type RuleOrder,
  ruleOnWire,
} from '../order-faults.ts';

const RULES_AT_MOST = 100;
/** How long a rule that has ended tells what happened. */
const ENDED_MS = 3_600_000;

export const addFaultHandler =
  (deps: OrderFaultsDeps): HandlerOf<'backOffice.faults.add'> =>
  async (request) => {
    const { realClock } = deps;
    const order = await readOrder(deps, request);
    request.faults.refuse();
    const rule = newRule(deps, request, order);
    await changeRules(deps, request, async (sql) => {
      await deleteEndedRules(sql, new Date(realClock.nowMs() - ENDED_MS));
      await refuseTooMany(sql);
      return { added: [rule], removed: [] };
    });
    const row = { ...rule, matched: 0, injected: 0, lastMatchedAt: null };
    return { json: ruleOnWire(row, realClock.nowMs()) };
  };

async function refuseTooMany(sql: Sql): Promise<void> {
  if ((await listRules(sql)).length < RULES_AT_MOST) return;
  throw new ApiError(
    'unprocessable',
    `There are already ${RULES_AT_MOST} rules: remove some, or order the profile perfect, which ` +
      'removes all.',
  );
}

async function readOrder(
  { database: { sql }, hasSimulator }: OrderFaultsDeps,
  { body, faults }: Pick<RequestFor<'backOffice.faults.add'>, 'body' | 'faults'>,
): Promise<RuleOrder> {
  const { match = {}, times, rate, seed } = body;
  const { fault, wrong } = completeFault(body.fault);
  for (const { parameter, message } of wrong) faults.add(['fault', parameter], message);
  if (times !== undefined && rate !== undefined) {
    faults.add(['rate'], 'does not go with times: send only one of them');
  }
  const { operation = null, client = null, restaurant = null } = match;
  const phase = phaseOf(fault);
  if (phase === 'processor' && !hasSimulator) {
    faults.add(
      ['fault', 'kind'],
      'must not involve the card processor, because it is not the simulator',
    );
  }
  const never = operation === null ? null : whyNever(fault.kind, operation);
  if (never !== null) faults.add(['match', 'operation'], never);
  else if (operation !== null) refuseUnmatched(faults, operation, match);
  if (client !== null && !(await findIsClient(sql, client))) {
    faults.add(['match', 'client'], 'must be the id of an API account');
  }
  if (restaurant !== null && !(await findIsRestaurant(sql, restaurant))) {
    faults.add(['match', 'restaurant'], 'must be the GUID of a restaurant');
  }
  return {
    ...{ operation, clientId: client, restaurantGuid: restaurant?.toLowerCase() ?? null },
    ...{ fault, seed, rate: rate ?? null },
    times: rate === undefined ? (times ?? 1) : null,
  };
}

/** No request for some operations has a client or a restaurant. */
function refuseUnmatched(faults: Faults, id: string, { client, restaurant }: FaultMatch): void {
  const operation = operations.find((each) => each.id === id);
  if (client !== undefined && operation?.security !== 'bearer') {
    faults.add(
      ['match', 'client'],
      `must be left out, because ${id} does not take the token of a client`,
    );
  }
  if (restaurant !== undefined && operation?.restaurant === 'none') {
    faults.add(
      ['match', 'restaurant'],
      `must be left out, because ${id} is not about a restaurant`,
    );
  }
}
