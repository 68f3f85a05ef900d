import { until } from './back-office.ts';
import type { CallOptions, Client, DemoCallers } from './client.ts';

/** The part of the back office that this file knows. */
export const sandboxFamily = 'sandboxes';

/** So short that what a run leaves behind ends by itself. */
const SHORT = 'PT5M';
const KEPT = 'kept';

interface CreatedSandbox {
  readonly name: string;
  readonly baseUrl: string;
}

/** One sandbox with a snapshot, for all calls that leave it there. */
const shared = new WeakMap<DemoCallers, Promise<CreatedSandbox>>();
let made = 0;

const nextName = () => {
  made += 1;
  return `ring-${made}`;
};

async function create(operator: Client, from: object): Promise<CreatedSandbox> {
  const json = { name: nextName(), from, ttl: SHORT };
  return (await operator.call('backOffice.sandboxes.create', 201, { json })).json as CreatedSandbox;
}

function sharedSandbox(callers: DemoCallers): Promise<CreatedSandbox> {
  const known = shared.get(callers) ?? makeShared(callers);
  shared.set(callers, known);
  return known;
}

async function takeSnapshot(operator: Client, name: string, snapshot: string): Promise<void> {
  const options = { params: { name }, json: { name: snapshot } };
  await operator.call('backOffice.sandboxes.snapshots.create', 201, options);
}

async function makeShared(callers: DemoCallers): Promise<CreatedSandbox> {
  const operator = await callers.as('operator');
  const created = await create(operator, { profile: 'demo' });
  const { name } = created;
  const options = { params: { name }, json: { ttl: 'PT1H' } };
  await operator.call('backOffice.sandboxes.update', 200, options);
  await takeSnapshot(operator, name, KEPT);
  return created;
}

/** A call on sandboxes that is answered by 200 or 201, on data made for it. */
export async function sandboxSample(callers: DemoCallers, id: string): Promise<CallOptions> {
  const name = id.replace('backOffice.sandboxes.', '');
  if (name === 'create') {
    return { json: { name: nextName(), from: { profile: 'empty' }, ttl: SHORT } };
  }
  if (name === 'list') return {};
  if (name === 'drop') {
    const operator = await callers.as('operator');
    return { params: { name: (await create(operator, { profile: 'empty' })).name } };
  }
  const params = { name: (await sharedSandbox(callers)).name };
  switch (name) {
    case 'update':
      return { params, json: { ttl: 'PT1H' } };
    case 'snapshots.create':
      return { params, json: { name: nextName() } };
    case 'snapshots.drop': {
      const snapshot = nextName();
      await takeSnapshot(await callers.as('operator'), params.name, snapshot);
      return { params: { ...params, snapshot } };
    }
    case 'restore':
      return { params, json: { snapshot: KEPT } };
    case 'diff':
      return { params, query: { with: 'main' } };
    default:
      return { params };
  }
}

/** What turns a sample into a call with a wrong value (422). */
export const sandboxesWrong: Readonly<Record<string, unknown>> = {
  'sandboxes.create': { from: { profile: 'empty' }, ttl: 'PT1S' },
  'sandboxes.update': { ttl: 'P31D' },
  'sandboxes.snapshots.create': { name: 'Not a name' },
  'sandboxes.restore': { snapshot: 'Not a name' },
};

/** What turns a sample into a call about something that is not there (404). */
export const sandboxesUnknown: Readonly<Record<string, CallOptions>> = {
  'backOffice.sandboxes.create': { json: { from: { sandbox: 'no-such' } } },
};

/** A name that is in use (409), or null when none is known. */
export async function sandboxConflict(
  callers: DemoCallers,
  id: string,
): Promise<CallOptions | null> {
  const { name } = await sharedSandbox(callers);
  if (id === 'backOffice.sandboxes.create') return { json: { name, from: { profile: 'empty' } } };
  return id.endsWith('.snapshots.create') ? { params: { name }, json: { name: KEPT } } : null;
}

/** Fields that no walk fills, and why. */
export const sandboxFieldsElsewhere: Readonly<Record<string, string>> = {
  'SandboxDemo.tlsUrl': 'The platform of this file has no certificate.',
};

/** Reads every field of sandboxes, and gives each answer to `record`. */
export async function walkSandboxes(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const operator = await callers.as('operator');
  const created = await sharedSandbox(callers);
  const { name } = created;
  const call = async (id: string, status: number, options: CallOptions) =>
    (await operator.call(`backOffice.sandboxes.${id}`, status, options)).json;
  const copy = await create(operator, { sandbox: name, snapshot: KEPT });
  record('CreatedSandbox', copy);
  record('CreatedSandbox', created);
  const used = { params: { name } };
  await callers.anonymous().call('docs.index', 200, { path: `/sandboxes/${name}/` });
  const seen = await until(
    'the last use of a sandbox',
    async () => (await call('get', 200, used)) as { lastUsedAt: string | null },
    ({ lastUsedAt }) => lastUsedAt !== null,
  );
  record('Sandbox', seen);
  record('SandboxPage', await call('list', 200, { query: { pageSize: 1 } }));
  record('SandboxSnapshot[]', await call('snapshots.list', 200, used));
  const taken = { params: { name }, json: { name: nextName() } };
  record('SandboxSnapshot', await call('snapshots.create', 201, taken));
  const unneeded = { params: { name, snapshot: taken.json.name } };
  record('DroppedSandboxSnapshot', await call('snapshots.drop', 200, unneeded));
  // The main environment has done all that the other tests of the file asked for.
  for (const [one, other] of [
    [name, 'main'],
    ['main', name],
  ] as const) {
    record(
      'SandboxDiff',
      await call('diff', 200, { params: { name: one }, query: { with: other } }),
    );
  }
  record('DroppedSandbox', await call('drop', 200, { params: { name: copy.name } }));
}
