import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type {
  BackOfficePaymentPage,
  ClockStatus,
  LoggedRequestDetails,
  WhoAmI,
} from '@servery/contract';
import { type RemotePlatform, startRemotePlatform } from '../../cli/test/remote-platform.ts';
import { type Assistant, overHttp, overStdio, textOf, tokenOf } from './assistant.ts';

let platform: RemotePlatform;
let restaurantGuid: string;
const open: Assistant[] = [];

before(async () => {
  platform = await startRemotePlatform();
  restaurantGuid = platform.demo.restaurants[0]?.guid ?? '';
});
after(async () => {
  for (const one of open) await one.close();
  await platform?.stop();
});

const opened = async (coming: Promise<Assistant>) => {
  const one = await coming;
  open.push(one);
  return one;
};
const stdio = (...args: string[]) =>
  opened(
    overStdio(args, { SERVERY_DATA_DIR: platform.dataDir, XDG_CONFIG_HOME: platform.dataDir }),
  );

describe('mcp: tools over standard input and output', () => {
  test('lists what the account may do, and nothing that changes something', async () => {
    const operator = await stdio();
    const names = await operator.names();
    for (const name of [
      'who_am_i',
      'list_stock',
      'explain_request',
      'list_sandboxes',
      'get_clock',
    ]) {
      assert.ok(names.includes(name), name);
    }
    for (const name of ['set_stock', 'advance_clock', 'create_sandbox', 'pay', 'get_menus']) {
      assert.ok(!names.includes(name), name);
    }
    const tools = await operator.tools();
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    const refused = await operator.try('advance_clock', { duration: 'PT1M' });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /--allow-writes/);
  });

  test('moves the clock with --allow-writes', async () => {
    const operator = await stdio('--allow-writes');
    await operator.call('freeze_clock');
    const { now } = await operator.call<ClockStatus>('get_clock');
    await operator.call('advance_clock', { duration: 'PT1H' });
    const moved = await operator.call<ClockStatus>('get_clock');
    assert.equal(Date.parse(moved.now) - Date.parse(now), 3_600_000);
  });
});

describe('mcp: tools over HTTP', () => {
  test('explains a refused request', async () => {
    const operator = await opened(overHttp(platform.demo, 'operator'));
    const partner = await opened(overHttp(platform.demo, 'readOnly'));
    const { type } = await partner.call<WhoAmI>('who_am_i');
    assert.equal(type, 'PARTNER');
    const token = await tokenOf(platform.demo, 'readOnly');
    const refused = await fetch(`${platform.demo.baseUrl}/stock/v1/inventory/update`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'platform-restaurant-external-id': restaurantGuid,
        'content-type': 'application/json',
      },
      body: '[]',
    });
    assert.equal(refused.status, 403);
    const requestId = refused.headers.get('platform-request-id');
    const { explanation } = await operator.call<LoggedRequestDetails>('explain_request', {
      requestId,
    });
    const failed = explanation?.steps.find(({ result }) => result === 'FAILED');
    assert.equal(failed?.check, 'scope');
  });

  test('pays once, however often a payment is repeated with one UUID', async () => {
    const partner = await opened(overHttp(platform.demo, 'partner', '?allowWrites=true'));
    const operator = await opened(overHttp(platform.demo, 'operator'));
    const purchase = { restaurantGuid, paymentUuid: randomUUID(), amount: 12.5 };
    const first = await partner.call('pay', purchase);
    assert.equal(first.paymentState, 'AUTHORIZED');
    assert.deepEqual(await partner.call('pay', purchase), first);
    const { results } = await operator.call<BackOfficePaymentPage>('list_payments', {
      merchantUuid: restaurantGuid,
    });
    assert.equal(results.filter((one) => one.paymentUuid === purchase.paymentUuid).length, 1);
  });
});
