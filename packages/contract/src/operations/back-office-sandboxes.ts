import { sandboxNamePattern } from '../schemas/back-office-terms.ts';
import { text } from '../schemas/field.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { pageParameters } from './parameters.ts';

const CREATED = 201;

// Who creates a sandbox gets the secrets of an operator there.
const sandboxes = {
  interface: 'backOffice',
  tag: 'Sandboxes',
  isHiddenInProduction: true,
  heldFor: 'platform',
} as const;
const reading = { ...sandboxes, method: 'GET', scope: 'sandboxes:read' } as const;
const changing = { ...sandboxes, method: 'POST', scope: 'sandboxes:write' } as const;
const sandboxesPath = `${prefix}/sandboxes`;
const sandboxPath = `${sandboxesPath}/{name}`;
const named = (description: string) =>
  text(description, { pattern: sandboxNamePattern, example: 'pull-42' });
const params = { name: named('The sandbox.') };
const WHO = 'Requires the scope for the whole platform.';
const UNKNOWN = 'For an unknown name, this is a 404 that lists the names that exist.';

export const sandboxesOperations = [
  operation({
    ...reading,
    id: 'backOffice.sandboxes.list',
    path: sandboxesPath,
    summary: 'List sandboxes',
    description: `Returns the sandboxes alongside the main environment, in pages. ${WHO}`,
    query: pageParameters('Sandboxes'),
    response: single('SandboxPage'),
    revalidated: false,
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.create',
    path: sandboxesPath,
    summary: 'Create a sandbox',
    description:
      'Creates a separate platform from a profile, from another sandbox, or from a snapshot of ' +
      'one: with its own database, clock, accounts, keys, limits, and processor. Its accounts ' +
      'get new secrets, which only this response shows. If the name is in use or the maximum ' +
      'number of sandboxes is reached, this is a 409. An unknown profile, sandbox, or snapshot is a 404 that lists ' +
      `what exists. The sandbox is dropped when its time is over. ${WHO}`,
    success: CREATED,
    requestBody: json('CreateSandbox'),
    response: single('CreatedSandbox'),
    also: [404, 409, 422],
  }),
  operation({
    ...reading,
    id: 'backOffice.sandboxes.get',
    path: sandboxPath,
    summary: 'Get a sandbox',
    description: `Returns the sandbox without its secrets. ${UNKNOWN} ${WHO}`,
    params,
    response: single('Sandbox'),
    revalidated: false,
    also: [404],
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.update',
    method: 'PATCH',
    path: sandboxPath,
    summary: 'Extend a sandbox',
    description:
      'Sets how long the sandbox exists from now on. This can be shorter than before. ' +
      `${UNKNOWN} ${WHO}`,
    params,
    requestBody: json('EditSandbox'),
    response: single('Sandbox'),
    also: [404, 422],
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.drop',
    method: 'DELETE',
    path: sandboxPath,
    summary: 'Drop a sandbox',
    description:
      'Drops the sandbox for good, with its snapshots. Requests to it that are in progress may ' +
      `fail. ${UNKNOWN} ${WHO}`,
    params,
    response: single('DroppedSandbox'),
    also: [404],
  }),
  operation({
    ...reading,
    id: 'backOffice.sandboxes.snapshots.list',
    path: `${sandboxPath}/snapshots`,
    summary: 'List the snapshots of a sandbox',
    description: `Returns every snapshot of the sandbox, oldest first. ${UNKNOWN} ${WHO}`,
    params,
    response: { schema: 'SandboxSnapshot', array: true },
    also: [404],
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.snapshots.create',
    path: `${sandboxPath}/snapshots`,
    summary: 'Take a snapshot of a sandbox',
    description:
      'Keeps the state of the sandbox under a name: its data and its clock. Requests to the ' +
      'sandbox wait meanwhile. If the name is in use or the maximum number of snapshots is ' +
      'reached, this is a 409. ' +
      `${UNKNOWN} ${WHO}`,
    params,
    success: CREATED,
    requestBody: json('NameSandboxSnapshot'),
    response: single('SandboxSnapshot'),
    also: [404, 409, 422],
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.snapshots.drop',
    method: 'DELETE',
    path: `${sandboxPath}/snapshots/{snapshot}`,
    summary: 'Drop a snapshot of a sandbox',
    description:
      'Drops one snapshot for good. The sandbox, its other snapshots, and the sandboxes that ' +
      `started from it stay as they are. ${UNKNOWN} ${WHO}`,
    params: {
      ...params,
      snapshot: text('The snapshot of that sandbox.', {
        pattern: sandboxNamePattern,
        example: 'before-lunch',
      }),
    },
    response: single('DroppedSandboxSnapshot'),
    also: [404],
  }),
  operation({
    ...changing,
    id: 'backOffice.sandboxes.restore',
    path: `${sandboxPath}/restore`,
    summary: 'Restore a snapshot of a sandbox',
    description:
      'Returns the sandbox to a snapshot. Everything since then is lost. The snapshot stays, so ' +
      'you can return to it as often as you like. The name, the address, and the time at which ' +
      `the sandbox is dropped do not change. ${UNKNOWN} ${WHO}`,
    params,
    requestBody: json('RestoreSandbox'),
    response: single('Sandbox'),
    also: [404, 422],
  }),
  operation({
    ...reading,
    id: 'backOffice.sandboxes.diff',
    path: `${sandboxPath}/diff`,
    summary: 'Compare two sandboxes',
    description:
      'Returns what differs between the sandbox and another one: in the published ' +
      'configuration, in stock, in payments, and in connections. Either can be main, the main ' +
      `environment. ${UNKNOWN} ${WHO}`,
    params,
    query: { with: named('The sandbox to compare it with.') },
    response: single('SandboxDiff'),
    revalidated: false,
    also: [404],
  }),
] as const;
