import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid } from './parameters.ts';

/** In production, these paths don't exist. */
const faults = {
  interface: 'backOffice',
  tag: 'Faults',
  isHiddenInProduction: true,
  heldFor: 'platform',
  response: single('FaultRules'),
} as const;
const ONLY = 'Available only in a sandbox: in production, this is a 404.';

export const faultsOperations = [
  operation({
    ...faults,
    id: 'backOffice.faults.list',
    method: 'GET',
    path: `${prefix}/faults`,
    summary: 'List injected faults',
    description: `Returns the injected faults, and how often each one matched and happened. ${ONLY}`,
    scope: 'faults:read',
    revalidated: false,
  }),
  operation({
    ...faults,
    id: 'backOffice.faults.add',
    method: 'POST',
    path: `${prefix}/faults`,
    summary: 'Inject a fault',
    description:
      'Adds a rule. The rules that match a request, an event, or a call to the processor are ' +
      'tried from oldest to newest, until one makes its fault happen. Other processes apply the ' +
      `rule within a second. An environment has at most 100 rules. ${ONLY}`,
    scope: 'faults:write',
    requestBody: json('FaultOrder'),
    response: single('FaultRule'),
    also: [422],
  }),
  operation({
    ...faults,
    id: 'backOffice.faults.remove',
    method: 'DELETE',
    path: `${prefix}/faults/{faultGuid}`,
    summary: 'Remove an injected fault',
    description: `Removes a rule and returns the others. ${ONLY}`,
    scope: 'faults:write',
    params: { faultGuid: guid('The rule.') },
    also: [404],
  }),
  operation({
    ...faults,
    id: 'backOffice.faults.setProfile',
    method: 'PUT',
    path: `${prefix}/faults/profile`,
    summary: 'Inject the faults of a profile',
    description: `Removes all rules and adds those of the profile. ${ONLY}`,
    scope: 'faults:write',
    requestBody: json('FaultProfileChoice'),
    also: [422],
  }),
] as const;
