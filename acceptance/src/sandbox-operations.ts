/** How a row is made: the scope without what it allows, the path, and what is answered. */
type Make<Row> = (
  scope: string,
  path: string,
  answer: string,
  rest?: {
    readonly method?: 'PATCH' | 'DELETE';
    readonly revalidated?: boolean;
    readonly success?: number;
  },
) => Row;

const sandboxes = '/backoffice/v1/sandboxes';
const sandbox = `${sandboxes}/{name}`;
const snapshots = `${sandbox}/snapshots`;
const snapshot = `${snapshots}/{snapshot}`;
const created = { success: 201 };
const dropped = { method: 'DELETE' } as const;
const fresh = { revalidated: false };

/** The operations of the back office on sandboxes, transcribed by hand: see operations.ts. */
export function sandboxRows<Row>(look: Make<Row>, change: Make<Row>): Record<string, Row> {
  return {
    'sandboxes.list': look('sandboxes', sandboxes, 'SandboxPage', fresh),
    'sandboxes.create': change('sandboxes', sandboxes, 'CreatedSandbox', created),
    'sandboxes.get': look('sandboxes', sandbox, 'Sandbox', fresh),
    'sandboxes.update': change('sandboxes', sandbox, 'Sandbox', { method: 'PATCH' }),
    'sandboxes.drop': change('sandboxes', sandbox, 'DroppedSandbox', dropped),
    'sandboxes.snapshots.list': look('sandboxes', snapshots, 'SandboxSnapshot[]'),
    'sandboxes.snapshots.create': change('sandboxes', snapshots, 'SandboxSnapshot', created),
    'sandboxes.snapshots.drop': change('sandboxes', snapshot, 'DroppedSandboxSnapshot', dropped),
    'sandboxes.restore': change('sandboxes', `${sandbox}/restore`, 'Sandbox'),
    'sandboxes.diff': look('sandboxes', `${sandbox}/diff`, 'SandboxDiff', fresh),
  };
}

/** Their statuses: see contract.test.ts. */
export const sandboxStatuses: Readonly<Record<string, readonly number[]>> = {
  'sandboxes.list': [400],
  'sandboxes.create': [404, 409],
  'sandboxes.get': [404],
  'sandboxes.update': [404],
  'sandboxes.drop': [404],
  'sandboxes.snapshots.list': [404],
  'sandboxes.snapshots.create': [404, 409],
  'sandboxes.snapshots.drop': [404],
  'sandboxes.restore': [404],
  'sandboxes.diff': [400, 404],
};
