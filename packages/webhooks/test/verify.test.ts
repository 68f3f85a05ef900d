import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PartnerAccessExternalWebhookRep, PartnerEvent } from '@servery/contract';
import {
  bodyFields,
  detailFields,
  type Invalid,
  isSecret,
  makeSecret,
  makeTestHeaders,
  type ReceivedWebhook,
  type TestHeaders,
  type VerifyFailure,
  verify,
  verifyBranded,
} from '@servery/webhooks';
import { verifyInBrowser } from '@servery/webhooks/browser.ts';
import { Webhook } from 'standardwebhooks';
import { atOnce, attemptSeconds, body, newSecret, oldSecret } from './sample.ts';

const checks = { verify, verifyBranded };
type Check = keyof typeof checks;
const both: readonly Check[] = ['verify', 'verifyBranded'];

function signed(change: Partial<TestHeaders> = {}): Record<string, string> {
  return makeTestHeaders({ body, secrets: oldSecret, timestampSeconds: attemptSeconds, ...change });
}

function received(change: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  return { headers: signed(), body, secrets: oldSecret, ...change };
}

/** What `verify` has refused in this file. */
const refused: { readonly received: ReceivedWebhook; readonly verdict: Invalid }[] = [];

function refusal(check: Check, change: Partial<ReceivedWebhook>): Invalid {
  const verdict = checks[check](received(change), atOnce);
  assert.equal(verdict.isValid, false);
  if (check === 'verify') refused.push({ received: received(change), verdict });
  return verdict;
}

function assertReason(check: Check, change: Partial<ReceivedWebhook>, reason: VerifyFailure): void {
  const { reason: given, explanation } = refusal(check, change);
  assert.equal(given, reason, explanation);
  assert.match(explanation, /^[A-Z].*\.$/s);
  assert.ok(!explanation.includes(oldSecret));
}

for (const check of both) {
  test(`${check} accepts what was signed, as text and as bytes`, () => {
    const accepted = { isValid: true, secretIndex: 0 };
    assert.deepEqual(checks[check](received(), atOnce), accepted);
    assert.deepEqual(checks[check](received({ body: Buffer.from(body) }), atOnce), accepted);
    const view = new Uint8Array(Buffer.from(`xx${body}yy`)).subarray(2, -2);
    assert.deepEqual(checks[check](received({ body: view }), atOnce), accepted);
  });

  test(`${check} refuses a body of which one byte is another, wherever it stands`, () => {
    const bytes = Buffer.from(body);
    const some = [...bytes.keys()].filter((at) => at % 29 === 0);
    for (const at of [...some, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      refusal(check, { body: changed });
    }
  });

  test(`${check} takes headers of fetch, of node:http, and of any case`, () => {
    const headers = signed();
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    for (const form of [
      new Headers(headers),
      Object.fromEntries(lower),
      Object.fromEntries(upper),
    ]) {
      assert.ok(checks[check](received({ headers: form }), atOnce).isValid);
    }
  });

  test(`${check} says that a header is missing or of another form`, () => {
    const names = check === 'verify' ? ['id', 'timestamp', 'signature'] : ['signature'];
    for (const name of names.map((one) => (check === 'verify' ? `webhook-${one}` : one))) {
      const header = check === 'verify' ? name : 'Platform-Signature';
      const { [header]: _, ...rest } = signed();
      assertReason(check, { headers: rest }, 'missingHeader');
      assertReason(check, { headers: { ...rest, [header]: '' } }, 'missingHeader');
      if (name !== 'webhook-id') {
        assertReason(check, { headers: { ...rest, [header]: 'nonsense' } }, 'malformedHeader');
      }
    }
  });

  test(`${check} says that a secret is none`, () => {
    assertReason(check, { secrets: [] }, 'malformedSecret');
    assertReason(check, { secrets: '' }, 'malformedSecret');
    assertReason(check, { secrets: [oldSecret, ' '] }, 'malformedSecret');
    // A variable of the environment that is not set.
    const { HOOK_SECRET } = {} as Record<string, string>;
    for (const secrets of [HOOK_SECRET, [HOOK_SECRET]] as string[]) {
      assertReason(check, { secrets }, 'malformedSecret');
    }
  });

  test(`${check} says that a secret is another one`, () => {
    assertReason(check, { secrets: newSecret }, 'wrongSecret');
    const headers = signed({ secrets: newSecret });
    assertReason(check, { headers }, 'wrongSecret');
  });

  test(`${check} says that a value was changed, not that the form was`, () => {
    const changed = body.replace('partner_', 'partner-');
    assertReason(check, { body: changed }, 'wrongSecret');
  });

  test(`${check} says that a body is not whole`, () => {
    assertReason(check, { body: '' }, 'bodyTruncated');
    assertReason(check, { body: '\n' }, 'bodyTruncated');
    for (const length of [1, 40, body.length - 1]) {
      assertReason(check, { body: body.slice(0, length) }, 'bodyTruncated');
    }
    const headers = { ...signed(), 'content-length': String(Buffer.byteLength(body) + 1) };
    assertReason(check, { headers, body: `${body.slice(0, -2)}}` }, 'bodyTruncated');
  });

  test(`${check} says that a body is another one where it is whole and has another length`, () => {
    const shorter = body.replace('partner_', 'p_');
    const headers = { ...signed(), 'content-length': String(Buffer.byteLength(body)) };
    assertReason(check, { headers, body: shorter }, 'bodyReserialized');
  });

  test(`${check} accepts a body whose length the headers tell`, () => {
    const headers = { ...signed(), 'content-length': String(Buffer.byteLength(body)) };
    assert.ok(checks[check](received({ headers }), atOnce).isValid);
  });

  test(`${check} says that a body was parsed already`, () => {
    const parsed = JSON.parse(body) as unknown as string;
    assertReason(check, { body: parsed }, 'bodyReserialized');
    assertReason(check, { body: String(parsed) }, 'bodyReserialized');
  });

  test(`${check} proves that a body was serialized again`, () => {
    const parsed = JSON.parse(body);
    const escaped = body.replaceAll(/[\u0080-\uffff]/g, (letter) => {
      return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    const { locationName: _, ...details } = parsed.details;
    const anew: Readonly<Record<string, RegExp>> = {
      [`${body}\n`]: /Spaces, line breaks/,
      [`\uFEFF${body}`]: /byte order mark/,
      [Buffer.from(body).toString('latin1')]: /another encoding/,
      [JSON.stringify(parsed, null, 2)]: /serialized again\./,
      [escaped]: /serialized again\./,
      [body.replaceAll('","', '", "').replaceAll('":', '": ')]: /serialized again\./,
      [JSON.stringify(sorted(parsed))]: /another order/,
      [JSON.stringify({ ...sorted(parsed), details: sorted(parsed.details) })]: /another order/,
      [JSON.stringify({ ...parsed, details })]: /null fields/,
    };
    for (const [text, words] of Object.entries(anew)) {
      const { reason, explanation } = refusal(check, { body: text });
      assert.equal(reason, 'bodyReserialized', text);
      assert.match(explanation, words);
    }
  });

  test(`${check} suspects a body that is not written as it is sent, whatever the secret`, () => {
    const pretty = JSON.stringify(JSON.parse(body), null, 2);
    assertReason(check, { body: pretty, secrets: newSecret }, 'bodyReserialized');
  });
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('verify keeps to its tolerance in both directions, 300 seconds by default', () => {
  const at = (seconds: number, toleranceSeconds?: number) =>
    verify(received(), {
      nowMs: (attemptSeconds + seconds) * 1000,
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
  for (const seconds of [0, 300, -300]) assert.ok(at(seconds).isValid);
  for (const seconds of [301, -301]) {
    const verdict = at(seconds);
    assert.equal(verdict.isValid ? null : verdict.reason, 'clock');
    assert.match(verdict.isValid ? '' : verdict.explanation, /301 seconds (old|ahead)/);
  }
  assert.ok(at(301, 301).isValid);
  assert.ok(!at(1, 0).isValid);
});

test('verify says nothing of the clock where the signature is wrong', () => {
  assert.equal(refusal('verify', { secrets: newSecret }).reason, 'wrongSecret');
  const late = verify(received({ secrets: newSecret }), { nowMs: 0 });
  assert.equal(late.isValid ? null : late.reason, 'wrongSecret');
});

test('verify covers guid and time of the attempt', () => {
  for (const name of ['webhook-id', 'webhook-timestamp']) {
    const headers = { ...signed(), [name]: String(attemptSeconds + 1) };
    assertReason('verify', { headers }, 'headerChanged');
    const { 'Platform-Signature': _, ...unproven } = headers;
    assertReason('verify', { headers: unproven }, 'wrongSecret');
    assertReason('verify', { headers, secrets: newSecret }, 'wrongSecret');
  }
});

test('verify finds the proof that a header was changed under the brand of the platform', () => {
  const headers = { ...signed({ brand: 'Harbor' }), 'webhook-id': 'another' };
  const verdict = verify(received({ headers }), { ...atOnce, brand: 'Harbor' });
  assert.equal(verdict.isValid ? null : verdict.reason, 'headerChanged');
  assert.match(verdict.isValid ? '' : verdict.explanation, /as Harbor-Signature proves/);
});

test('a secret of the platform is known by its form', () => {
  for (const secret of [makeSecret(), oldSecret]) assert.ok(isSecret(secret));
  const short = `whsec_${Buffer.alloc(23, 1).toString('base64')}`;
  const others = ['', 'abc', 'whsec_', 'whsec_!', short, oldSecret.slice('whsec_'.length)];
  for (const text of others) assert.ok(!isSecret(text), text);
});

test('verifyBranded takes a late retry, unless it is told what is too old', () => {
  const { timestamp } = JSON.parse(body);
  const day = 86_400;
  const nowMs = Date.parse(timestamp) + day * 1000;
  assert.ok(verifyBranded(received(), { nowMs }).isValid);
  assert.ok(verifyBranded(received(), { nowMs, toleranceSeconds: day }).isValid);
  const late = verifyBranded(received(), { nowMs, toleranceSeconds: day - 1 });
  assert.equal(late.isValid ? null : late.reason, 'clock');
});

test('the brand of the platform names its headers', () => {
  const headers = signed({ brand: 'Harbor' });
  assert.ok(headers['Harbor-Signature']);
  assert.ok(verifyBranded(received({ headers }), { ...atOnce, brand: 'Harbor' }).isValid);
  assertReason('verifyBranded', { headers }, 'missingHeader');
});

test('while one secret takes over, receivers with either or both are told which one it was', () => {
  const headers = signed({ secrets: [oldSecret, newSecret] });
  const index = (check: Check, secrets: readonly string[]) => {
    const verdict = checks[check]({ headers, body, secrets }, atOnce);
    return verdict.isValid ? verdict.secretIndex : verdict.reason;
  };
  assert.equal(index('verify', [oldSecret]), 0);
  assert.equal(index('verify', [newSecret]), 0);
  assert.equal(index('verify', [newSecret, oldSecret]), 0);
  // A receiver that compares the branded header is not broken by a second secret.
  assert.equal(index('verifyBranded', [oldSecret]), 0);
  assert.equal(index('verifyBranded', [newSecret, oldSecret]), 1);
  assert.equal(headers['Platform-Signature'], signed()['Platform-Signature']);
});

test('a signature of another version beside the own one is passed over', () => {
  const headers = signed();
  const own = headers['webhook-signature'];
  const other = { ...headers, 'webhook-signature': `v1a,c2lnbmF0dXJl ${own}` };
  assert.ok(verify(received({ headers: other }), atOnce).isValid);
  const only = { ...headers, 'webhook-signature': 'v1a,c2lnbmF0dXJl' };
  assertReason('verify', { headers: only }, 'malformedHeader');
});

test('the standardwebhooks package accepts our signature, and refuses a wrong byte', () => {
  const secrets = [makeSecret(), makeSecret()];
  const headers = makeTestHeaders({ body, secrets });
  for (const secret of secrets) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers), /No matching signature/);
  }
  assert.throws(() => new Webhook(makeSecret()).verify(body, headers), /No matching signature/);
});

test('verify accepts what the standardwebhooks package signs', () => {
  const at = new Date(attemptSeconds * 1000);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(attemptSeconds),
    'webhook-signature': new Webhook(oldSecret).sign('msg_1', at, body),
  };
  assert.ok(verify(received({ headers }), atOnce).isValid);
});

test('the headers of a test say what the body says, and what is asked for', () => {
  const { guid, eventType } = JSON.parse(body);
  const headers = signed({ attemptNumber: 3, isReplay: true });
  assert.deepEqual(
    { ...headers, 'Platform-Signature': '', 'webhook-signature': '' },
    {
      'content-type': 'application/json',
      'Platform-Event-Type': eventType,
      'Platform-Event-Category': 'partner',
      'Platform-Attempt-Number': '3',
      'Platform-Replay': 'true',
      'Platform-Signature': '',
      'webhook-id': guid,
      'webhook-timestamp': String(attemptSeconds),
      'webhook-signature': '',
    },
  );
  assert.equal(signed()['Platform-Replay'], undefined);
  assert.match(signed({ body: 'no JSON' })['webhook-id'] ?? '', /^[0-9a-f-]{36}$/);
});

test('headers of a test are valid at once by the clock of the machine', () => {
  const headers = makeTestHeaders({ body, secrets: oldSecret });
  assert.ok(verify({ headers, body, secrets: oldSecret }).isValid);
});

test('a new secret is 32 random bytes in the form of Standard Webhooks', () => {
  const secrets = Array.from({ length: 100 }, makeSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('the branded signature is Base64 of HMAC-SHA256 over body and its timestamp', async () => {
  const encoder = new TextEncoder();
  const { subtle } = globalThis.crypto;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(oldSecret), hmac, false, ['sign']);
  const text = encoder.encode(body + JSON.parse(body).timestamp);
  const expected = Buffer.from(await subtle.sign('HMAC', key, text)).toString('base64');
  assert.equal(signed()['Platform-Signature'], expected);
});

test('the fields of a body are known in the order in which the contract has them', () => {
  assert.deepEqual(bodyFields, Object.keys(PartnerEvent.properties));
  assert.deepEqual(detailFields, Object.keys(PartnerAccessExternalWebhookRep.properties));
});

test('verifyInBrowser says the same as verify of all that this file refuses and accepts', async () => {
  assert.ok(refused.length > 50, `${refused.length}`);
  for (const { received, verdict } of refused) {
    assert.deepEqual(await verifyInBrowser(received, atOnce), verdict);
  }
  const secrets = [newSecret, oldSecret];
  const accepted = { isValid: true, secretIndex: 1 };
  assert.deepEqual(await verifyInBrowser(received({ secrets }), atOnce), accepted);
  const late = { nowMs: (attemptSeconds + 301) * 1_000 };
  assert.deepEqual(await verifyInBrowser(received(), late), verify(received(), late));
});
