import {
  collections,
  type Operation,
  type OperationId,
  operationById,
  partnerCollections,
} from '@servery/contract';

/** A tool, and the operation that it calls. Most of its words and its schema are the contract's. */
export interface Tool {
  /** Clients of both kinds may know it by the same name: each sees those of its own interface. */
  readonly name: string;
  readonly operation: Operation;
  readonly summary: string;
  readonly description: string;
  readonly effect: Effect;
  /** Whether the same call again changes nothing more. */
  readonly isRepeatable: boolean;
  /** What the description says beside that of the operation. */
  readonly note: string;
  /** The operations that the argument `collection` chooses from, for tools of all collections. */
  readonly byCollection: Readonly<Record<string, OperationId>> | null;
  /** Arguments by the parameters of the path that they fill, where they have other names. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Fields of the response that no assistant gets. */
  readonly omitted: readonly string[];
}

/** `destroys` makes a change that no other call can undo. */
type Effect = 'reads' | 'changes' | 'destroys';

type Given = Partial<Omit<Tool, 'name' | 'operation'>>;

/** A restaurant has one name in all tools. */
const RENAMED = { merchantUuid: 'restaurantGuid', restaurantGUID: 'restaurantGuid' };
/** Beside it, `name` is that of something else. */
const ofSandbox = { renamed: { name: 'sandbox' } };

function tool(name: string, id: OperationId, given: Given = {}): Tool {
  const operation = operationById(id);
  const effect = given.effect ?? (operation.method === 'GET' ? 'reads' : 'changes');
  const isRepeatable = effect === 'reads' || operation.method === 'PUT';
  const { summary, description } = operation;
  const usual = { note: '', byCollection: null, renamed: RENAMED, omitted: [] };
  return { ...usual, summary, description, isRepeatable, ...given, name, operation, effect };
}

const NEXT = 'In the result, `next` has the arguments of the next page.';

const listsOfCollections = Object.fromEntries(
  partnerCollections.map(({ name }) => [name, `configuration.${name}.list` as OperationId]),
);

/** Which operations are tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [...ofBackOffice(), ...ofPartners()];

function ofBackOffice(): Tool[] {
  return [
    tool('who_am_i', 'backOffice.whoami'),
    tool('list_restaurants', 'backOffice.restaurants.list'),
    tool('get_restaurant', 'backOffice.restaurants.get'),
    tool('list_configuration_objects', 'backOffice.configuration.objects.list', {
      note: `The collections: ${collections.map(({ name }) => name).join(', ')}.`,
    }),
    tool('get_configuration_object', 'backOffice.configuration.objects.get'),
    tool('list_drafts', 'backOffice.configuration.draft.get'),
    tool('preview_publication', 'backOffice.configuration.draft.preview'),
    tool('list_publications', 'backOffice.configuration.publications.list'),
    tool('get_publication', 'backOffice.configuration.publications.get'),
    tool('list_stock', 'backOffice.stock.list'),
    tool('list_stock_changes', 'backOffice.stock.history'),
    tool('list_orders', 'backOffice.orders.list'),
    tool('get_order', 'backOffice.orders.get'),
    tool('list_payments', 'backOffice.payments.list'),
    tool('get_payment', 'backOffice.payments.get'),
    tool('list_payment_events', 'backOffice.payments.events'),
    tool('list_alarms', 'backOffice.alarms.list'),
    tool('list_clients', 'backOffice.clients.list'),
    tool('list_connections', 'backOffice.connections.list'),
    tool('list_webhook_endpoints', 'backOffice.webhooks.endpoints.list'),
    tool('list_webhook_deliveries', 'backOffice.webhooks.deliveries.list'),
    tool('get_webhook_delivery', 'backOffice.webhooks.deliveries.get'),
    tool('list_requests', 'backOffice.requests.list'),
    tool('explain_request', 'backOffice.requests.get', {
      note:
        'Use it to find out why a request was refused: explanation.steps says which check failed, ' +
        'and what to do. Every error names the request in requestId.',
    }),
    tool('list_audit_entries', 'backOffice.audit.list'),
    tool('get_health', 'backOffice.health.get'),
    tool('get_clock', 'backOffice.clock.get'),
    tool('list_sandboxes', 'backOffice.sandboxes.list'),
    tool('get_sandbox', 'backOffice.sandboxes.get', ofSandbox),
    tool('list_snapshots', 'backOffice.sandboxes.snapshots.list', ofSandbox),
    tool('compare_sandboxes', 'backOffice.sandboxes.diff', ofSandbox),
    tool('list_faults', 'backOffice.faults.list'),
    tool('set_stock', 'backOffice.stock.set', { isRepeatable: true }),
    tool('undo_stock_change', 'backOffice.stock.undo'),
    tool('draft_new_object', 'backOffice.configuration.objects.create'),
    tool('draft_object_change', 'backOffice.configuration.objects.update', { isRepeatable: true }),
    tool('discard_drafts', 'backOffice.configuration.draft.discard', { effect: 'destroys' }),
    tool('publish_drafts', 'backOffice.configuration.publications.publish'),
    tool('roll_back_publication', 'backOffice.configuration.publications.rollBack'),
    tool('void_payment', 'backOffice.payments.void', { effect: 'destroys' }),
    tool('acknowledge_alarm', 'backOffice.alarms.acknowledge'),
    tool('advance_clock', 'backOffice.clock.advance'),
    tool('set_clock', 'backOffice.clock.set', { isRepeatable: true }),
    tool('advance_clock_to_next_deadline', 'backOffice.clock.next'),
    tool('freeze_clock', 'backOffice.clock.freeze', { isRepeatable: true }),
    tool('run_clock', 'backOffice.clock.run', { isRepeatable: true }),
    tool('create_sandbox', 'backOffice.sandboxes.create', {
      note: 'The secrets of its accounts are not part of the result.',
      omitted: ['demo'],
    }),
    tool('extend_sandbox', 'backOffice.sandboxes.update', { ...ofSandbox, isRepeatable: true }),
    tool('drop_sandbox', 'backOffice.sandboxes.drop', { ...ofSandbox, effect: 'destroys' }),
    tool('take_snapshot', 'backOffice.sandboxes.snapshots.create', ofSandbox),
    tool('drop_snapshot', 'backOffice.sandboxes.snapshots.drop', {
      ...ofSandbox,
      effect: 'destroys',
    }),
    tool('restore_snapshot', 'backOffice.sandboxes.restore', { ...ofSandbox, effect: 'destroys' }),
    tool('replay_request', 'backOffice.requests.replay', { omitted: ['demo'] }),
    tool('order_fault', 'backOffice.faults.add'),
    tool('remove_fault', 'backOffice.faults.remove'),
    tool('set_fault_profile', 'backOffice.faults.setProfile'),
  ];
}

function ofPartners(): Tool[] {
  return [
    tool('who_am_i', 'platform.whoami'),
    tool('list_restaurants', 'partners.connectedRestaurants.list', { note: NEXT }),
    tool('get_restaurant', 'restaurants.get'),
    tool('list_configuration_objects', 'configuration.menuItems.list', {
      byCollection: listsOfCollections,
      summary: 'List the objects of a collection',
      description:
        'Returns at most 300 published objects of one collection of a restaurant, sorted by guid. ' +
        'If the configuration is published between two pages, start again with the first page.',
      note: NEXT,
    }),
    tool('list_configuration_changes', 'platform.changes.list'),
    tool('get_menus', 'menus.get'),
    tool('list_stock', 'stock.list'),
    tool('look_up_stock', 'stock.search', { effect: 'reads' }),
    tool('list_orders', 'orders.listBulk', { note: NEXT }),
    tool('get_order', 'orders.get'),
    tool('price_order', 'orders.price', { effect: 'reads' }),
    tool('get_payment', 'platform.payments.get'),
    tool('list_events', 'platform.events.list'),
    tool('set_stock', 'stock.update'),
    tool('place_order', 'orders.place', {
      note: 'Give every order an externalId, and use the same one if you repeat the call: the order is placed once.',
    }),
    tool('void_order', 'orders.void', { effect: 'destroys' }),
    tool('void_payment', 'platform.payments.void', { effect: 'destroys', isRepeatable: true }),
  ];
}
