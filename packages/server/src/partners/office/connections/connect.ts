import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { type ConnectionAdminDeps, connect } from '../../connections.ts';
import { connectionOnWire } from './connection-on-wire.ts';
import { employeeOf } from './employee.ts';

export const connectHandler =
  (deps: ConnectionAdminDeps): HandlerOf<'backOffice.connections.connect'> =>
  async (request) => {
    const { restaurant, body, caller, faults } = request;
    const { partnerGuid, externalGroupRef = null, externalRestaurantRef = null } = body;
    const employee = employeeOf(body.employee, caller, faults);
    const origin = originOf(request, deps.realClock);
    const key = { restaurantGuid: restaurant.guid, partnerGuid };
    const change = { ...key, externalGroupRef, externalRestaurantRef, employee, origin };
    return { json: connectionOnWire(await connect(deps, change)) };
  };
