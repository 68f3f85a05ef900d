import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type {
  BackOfficeOrderPage,
  BackOfficePaymentPage,
  ClockStatus,
  LoggedRequestDetails,
  LoggedRequestPage,
  Sandbox,
  WhoAmI,
} from '@servery/contract';
import { type RemotePlatform, useRemotePlatform } from '../../cli/test/remote-platform.ts';
import { type Assistant, overHttp, overStdio, textOf } from './assistant.ts';

const HOUR_MS = 3_600_000;
const WRITES = '?allowWrites=true';

let platform: RemotePlatform;
let restaurantGuid: string;
const open: Assistant[] = [];

after(async () => {
  for (const one of open) await one.close();
});
useRemotePlatform((shared) => {
  platform = shared;
  restaurantGuid = platform.demo.restaurants[0]?.guid ?? '';
});

async function opened(coming: Promise<Assistant>): Promise<Assistant> {
  const one = await coming;
  open.push(one);
  return one;
}

/** `servery mcp` with these arguments. */
const stdio = (...args: string[]) =>
  opened(
    overStdio(args, { SERVERY_DATA_DIR: platform.dataDir, XDG_CONFIG_HOME: platform.dataDir }),
  );
/** `/mcp` of the main environment. */
const http = (...[name, query]: [Parameters<typeof overHttp>[1], string?]) =>
  opened(overHttp(platform.demo, name, query));

const assertHas = (names: readonly string[], ...wanted: readonly string[]) =>
  assert.deepEqual(
    wanted.filter((name) => !names.includes(name)),
    [],
  );
const assertLacks = (names: readonly string[], ...unwanted: readonly string[]) =>
  assert.deepEqual(
    unwanted.filter((name) => names.includes(name)),
    [],
  );

describe('mcp: on standard input and output', () => {
  test('lists what the account may do, and without --allow-writes only what reads', async () => {
    const operator = await stdio();
    assert.match(operator.instructions, /It is a sandbox/);
    const tools = await operator.tools();
    const names = tools.map(({ name }) => name);
    assertHas(names, 'who_am_i', 'list_stock', 'explain_request', 'list_sandboxes', 'get_clock');
    assertLacks(names, 'set_stock', 'advance_clock', 'create_sandbox', 'pay', 'get_menus');
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    const refused = await operator.try('advance_clock', { duration: 'PT1M' });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /--allow-writes/);
  });

  test('moves the clock with --allow-writes, and creates a sandbox, whose accounts no result shows', async () => {
    const operator = await stdio('--allow-writes');
    const hints = new Map(
      (await operator.tools()).map(({ name, annotations }) => [name, annotations]),
    );
    assert.equal(hints.get('drop_sandbox')?.destructiveHint, true);
    assert.equal(hints.get('advance_clock')?.destructiveHint, false);
    assert.equal(hints.get('get_clock')?.readOnlyHint, true);
    await operator.call('freeze_clock');
    const { now } = await operator.call<ClockStatus>('get_clock');
    await operator.call('advance_clock', { duration: 'PT1H' });
    const moved = await operator.call<ClockStatus>('get_clock');
    assert.equal(Date.parse(moved.now) - Date.parse(now), HOUR_MS);
    await operator.call('run_clock');

    const result = await operator.try('create_sandbox', {
      name: 'by-mcp',
      from: { sandbox: 'main' },
    });
    assert.equal((result.structuredContent as unknown as Sandbox).name, 'by-mcp');
    assert.match(textOf(result), /servery mcp --sandbox by-mcp/);
    assert.doesNotMatch(JSON.stringify(result), /svs_|password|\d{13}/i);

    const inside = await stdio('--sandbox', 'by-mcp', '--allow-writes');
    assert.match(inside.instructions, /\/sandboxes\/by-mcp/);
    const names = await inside.names();
    assertHas(names, 'advance_clock');
    // Only the main environment has sandboxes beside it.
    assertLacks(names, 'create_sandbox', 'list_sandboxes');
    const before = await operator.call<ClockStatus>('get_clock');
    const later = new Date(Date.parse(before.now) + 48 * HOUR_MS).toISOString();
    await inside.call('set_clock', { now: later });
    const main = await operator.call<ClockStatus>('get_clock');
    assert.ok(Date.parse(main.now) - Date.parse(before.now) < HOUR_MS);
    await operator.call('drop_sandbox', { sandbox: 'by-mcp' });
  });
});

describe('mcp: over HTTP', () => {
  test('lists by kind of account and by scope', async () => {
    const partner = await (await http('partner', WRITES)).names();
    assertHas(partner, 'who_am_i', 'get_menus', 'set_stock', 'place_order', 'pay');
    assertLacks(partner, 'list_requests', 'advance_clock', 'create_sandbox');
    const readOnly = await (await http('readOnly', WRITES)).names();
    assertHas(readOnly, 'get_menus', 'list_stock');
    assertLacks(readOnly, 'set_stock', 'place_order', 'pay');
    const operator = await (await http('operator', WRITES)).names();
    assertHas(operator, 'advance_clock', 'create_sandbox', 'publish_drafts');
    assertLacks(operator, 'get_menus', 'pay');
    assert.deepEqual(
      [partner, readOnly, operator].map((names) => names.length - new Set(names).size),
      [0, 0, 0],
    );
  });

  test('reads the configuration as a partner and in the back office', async () => {
    const partner = await http('partner');
    const { restaurants } = await partner.call<WhoAmI>('who_am_i');
    assert.ok(restaurants.some(({ guid }) => guid === restaurantGuid));
    const items = await partner.call<{ results: { guid: string; name: string }[] }>(
      'list_configuration_objects',
      { restaurantGuid, collection: 'menuItems' },
    );
    const [item] = items.results;
    assert.ok(item);
    const operator = await http('operator');
    const object = await operator.call<{ published: { name: string } }>(
      'get_configuration_object',
      {
        restaurantGuid,
        collection: 'menuItems',
        guid: item.guid,
      },
    );
    assert.equal(object.published.name, item.name);
  });

  test('says which arguments a tool takes', async () => {
    const partner = await http('partner');
    for (const [name, given, says] of [
      ['get_menus', {}, /Missing: restaurantGuid\./],
      ['get_menus', { restaurant: 'The Early Wren' }, /Unknown: restaurant\..*restaurantGuid/],
      ['get_menus', { restaurantGuid: { guid: 'x' } }, /restaurantGuid must be one line of text/],
      [
        'list_configuration_objects',
        { restaurantGuid, collection: 'x' },
        /must be one of .*menuItems/,
      ],
      ['get_menus', { restaurantGuid: 'x' }, /refused with 400: .*not a GUID/],
      ['list_requests', {}, /There is no tool list_requests for this caller/],
    ] as const) {
      const result = await partner.try(name, given);
      assert.equal(result.isError, true);
      assert.match(textOf(result), says);
    }
  });

  test('goes through a list page by page, also where only a header names the next', async () => {
    const partner = await http('partner');
    const page = { businessDate: await newestDate(), pageSize: 1 };
    const first = await partner.call<Orders>('list_orders', { restaurantGuid, ...page });
    assert.equal(first.results.length, 1);
    const second = await partner.call<Orders>('list_orders', { restaurantGuid, ...first.next });
    assert.notEqual(second.results[0]?.guid, first.results[0]?.guid);
  });

  test('logs the calls as those of the caller, and explains one that was refused', async () => {
    const partner = await http('partner');
    const refused = await partner.try('get_payment', { restaurantGuid, paymentUuid: randomUUID() });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /^The platform refused with 404: /);
    const { requestId } = refused.structuredContent as { requestId: string };
    const operator = await http('operator');
    const request = await operator.call<LoggedRequestDetails>('explain_request', { requestId });
    assert.equal(request.operation, 'platform.payments.get');
    assert.equal(
      request.explanation?.steps.some(({ result }) => result === 'FAILED'),
      true,
    );
    const { clientId } = platform.demo.clients.partner;
    const { results } = await operator.call<LoggedRequestPage>('list_requests', {
      clientId,
      requestId,
    });
    assert.equal(results[0]?.status, 404);

    const wrong = await operator.try('explain_request', { requestId: randomUUID() });
    const [, own = ''] = /call explain_request with requestId (\S+)\./.exec(textOf(wrong)) ?? [];
    const explained = await operator.call<LoggedRequestDetails>('explain_request', {
      requestId: own,
    });
    assert.equal(explained.status, 404);
  });

  test('pays once, however often a purchase is repeated with its UUID', async () => {
    const partner = await http('partner', WRITES);
    const operator = await http('operator');
    const purchase = { restaurantGuid, paymentUuid: randomUUID(), amount: 12.5 };
    const first = await partner.call('pay', purchase);
    assert.equal(first.paymentState, 'AUTHORIZED');
    assert.deepEqual(await partner.call('pay', purchase), first);
    const { results } = await operator.call<BackOfficePaymentPage>('list_payments', {
      merchantUuid: restaurantGuid,
    });
    const own = results.filter(({ paymentUuid }) => paymentUuid === purchase.paymentUuid);
    assert.deepEqual(
      own.map(({ paymentState, attempt }) => [paymentState, attempt]),
      [['AUTHORIZED', 1]],
    );
    const other = await partner.try('pay', { ...purchase, amount: 13 });
    assert.match(textOf(other), /refused with 409/);
    const number = await partner.try('pay', { ...purchase, card: '4111111111111111' });
    assert.match(textOf(number), /card must be one of "Approved", /);
    assert.doesNotMatch(JSON.stringify([first, other, number]), /\d{13}/);
    const { restaurantGuid: _, ...withoutPlace } = purchase;
    assert.match(textOf(await partner.try('pay', withoutPlace)), /must be UUIDs/);
    const denied = await partner.call('pay', {
      ...purchase,
      paymentUuid: randomUUID(),
      card: (await cardNames(partner)).find((name) => name.startsWith('Declined 05:')),
    });
    assert.equal(denied.paymentState, 'DENIED');
  });

  test('says to repeat a purchase whose response was lost, which then places no second hold', async () => {
    const partner = await http('partner', WRITES);
    const operator = await http('operator', WRITES);
    await operator.call('order_fault', {
      match: { operation: 'creditCards.authorize' },
      fault: { kind: 'lostAnswer' },
    });
    const purchase = { restaurantGuid, paymentUuid: randomUUID(), amount: 7 };
    const lost = await partner.try('pay', purchase);
    assert.equal(lost.isError, true);
    assert.match(textOf(lost), /did not answer\. Call pay again with the same paymentUuid/);
    assert.equal((await partner.call('pay', purchase)).paymentState, 'AUTHORIZED');
    const { paymentUuid } = purchase;
    const payment = await operator.call('get_payment', { restaurantGuid, paymentUuid });
    assert.deepEqual([payment.paymentState, payment.attempt], ['AUTHORIZED', 1]);
  });

  test('says that the outcome is unknown where a repeat could do it twice', async () => {
    const operator = await http('operator', WRITES);
    await operator.call('order_fault', {
      match: { operation: 'backOffice.clock.next' },
      fault: { kind: 'lostAnswer' },
    });
    const lost = await operator.try('advance_clock_to_next_deadline');
    assert.match(textOf(lost), /did not answer\. It is not known whether it was done\./);
  });

  test('serves the sandboxes beside the main environment, each to its own accounts', async () => {
    const { baseUrl } = platform.demo;
    const created = await platform.json<{ baseUrl: string; demo: RemotePlatform['demo'] }>([
      'sandbox',
      'create',
      'over-http',
      '--from',
      'main',
    ]);
    const inside = await opened(overHttp(created.demo, 'operator', WRITES));
    assert.match(inside.instructions, /\/sandboxes\/over-http\. /);
    assertLacks(await inside.names(), 'create_sandbox');
    await inside.call('freeze_clock');
    const main = await (await http('operator')).call<ClockStatus>('get_clock');
    assert.equal(main.mode, 'RUNNING');
    await assert.rejects(
      overHttp({ baseUrl: created.baseUrl, clients: platform.demo.clients }, 'operator'),
    );
    assert.ok(created.baseUrl.startsWith(baseUrl));
    await platform.json(['sandbox', 'drop', 'over-http']);
  });
});

interface Orders {
  readonly results: readonly { readonly guid: string }[];
  readonly next?: object;
}

/** The business date of the newest order. */
async function newestDate(): Promise<string> {
  const operator = await http('operator');
  const { results } = await operator.call<BackOfficeOrderPage>('list_orders', {
    restaurantGuid,
    pageSize: 1,
  });
  return String(results[0]?.order.businessDate);
}

async function cardNames(partner: Assistant): Promise<readonly string[]> {
  const pay = (await partner.tools()).find(({ name }) => name === 'pay');
  const card = pay?.inputSchema.properties?.card as { enum: string[] } | undefined;
  return card?.enum ?? [];
}
