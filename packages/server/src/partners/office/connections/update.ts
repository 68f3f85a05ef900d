import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { type ConnectionAdminDeps, updateReferences } from '../../connections.ts';
import { connectionOnWire } from './connection-on-wire.ts';
import { employeeOf } from './employee.ts';

export const updateConnectionHandler =
  (deps: ConnectionAdminDeps): HandlerOf<'backOffice.connections.update'> =>
  async (request) => {
    const { restaurant, params, body, caller, faults } = request;
    const employee = employeeOf(body.employee, caller, faults);
    const origin = originOf(request, deps.realClock);
    const key = { restaurantGuid: restaurant.guid, partnerGuid: params.partnerGuid };
    const connection = await updateReferences(deps, { ...body, ...key, employee, origin });
    return { json: connectionOnWire(connection) };
  };
