import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { type ConnectionAdminDeps, disconnect } from '../../connections.ts';
import { connectionOnWire } from './connection-on-wire.ts';
import { employeeOf } from './employee.ts';

export const disconnectHandler =
  (deps: ConnectionAdminDeps): HandlerOf<'backOffice.connections.disconnect'> =>
  async (request) => {
    const { restaurant, params, body, caller, faults } = request;
    const employee = employeeOf(body.employee, caller, faults);
    const origin = originOf(request, deps.realClock);
    const key = { restaurantGuid: restaurant.guid, partnerGuid: params.partnerGuid };
    const change = { ...key, reason: body.reason, employee, origin };
    return { json: connectionOnWire(await disconnect(deps, change)) };
  };
