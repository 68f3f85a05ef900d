import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type { CardEncryptionKey, CardKey } from '@servery/contract';
import { paymentHandlers } from '../../src/payments/partner/handlers.ts';
import { callOperation, principal } from '../request.ts';
import { openPaymentFixture, type PaymentFixture, type PutAnswer } from './fixture.ts';

const SENDERS = 4;
const PUTS_PER_READING = 2;
/** The algorithm of each new key; a rotation may change it too. */
const ROUNDS = ['ECDH-ES', 'ECDH-ES', 'RSA-OAEP-SHA256', 'RSA-OAEP-256', 'RSA-OAEP-256'] as const;

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

type Process = ReturnType<typeof paymentHandlers>;

/** Something that sends payments without a pause, with a key that it reads from the public list. */
class Sender {
  readonly answers: { readonly keyId: string; readonly answer: PutAnswer }[] = [];
  readonly #events = new EventTarget();
  readonly #processes: readonly Process[];
  /** A sender that does not read by itself uses its key until it is told. */
  readonly #readsByItself: boolean;
  #isToRead = true;
  #readings = 0;
  #isStopped = false;

  constructor(processes: readonly Process[], readsByItself: boolean) {
    this.#processes = processes;
    this.#readsByItself = readsByItself;
  }

  async run(): Promise<void> {
    let key: CardEncryptionKey | undefined;
    while (!this.#isStopped) {
      if (this.#isToRead || this.#readsByItself) key = await this.#read();
      assert.ok(key, 'the public list is never empty during a rotation');
      for (let sent = 0; sent < PUTS_PER_READING; sent += 1) {
        const handlers = this.#processes[this.answers.length % this.#processes.length];
        const body = await fixture.body({ key });
        const answer = await fixture.put({ body, ...(handlers ? { handlers } : {}) });
        this.answers.push({ keyId: key.keyId, answer });
        this.#events.dispatchEvent(new Event('sent'));
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves once everything is sent that was encrypted with a key from an earlier reading. */
  async hasSwitched(): Promise<void> {
    this.#isToRead = true;
    // The reading after the next one begins when all of the earlier ones was sent.
    const enough = this.#readings + (this.#readsByItself ? 2 : 1);
    while (this.#readings < enough) await once(this.#events, 'read');
  }

  /** Resolves once so many more payments were answered. */
  async sends(count: number): Promise<void> {
    const enough = this.answers.length + count;
    while (this.answers.length < enough) await once(this.#events, 'sent');
  }

  async #read(): Promise<CardEncryptionKey | undefined> {
    this.#isToRead = false;
    const [newest] = await readPublicKeys(this.#processes[0]);
    this.#readings += 1;
    this.#events.dispatchEvent(new Event('read'));
    return newest;
  }
}

async function readPublicKeys(handlers: Process | undefined): Promise<CardEncryptionKey[]> {
  const id = 'platform.cardEncryptionKeys.list';
  const { body } = await callOperation(handlers ?? {}, id, { principal: fixture.client });
  return body;
}

/** The back office of a third process. */
async function office(
  move: 'issue' | 'activate' | 'retire' | 'destroy',
  rest: { readonly keyId?: string; readonly body?: unknown },
): Promise<CardKey> {
  const { keyId = '', body } = rest;
  const { status, body: key } = await callOperation(fixture.office, `backOffice.cardKeys.${move}`, {
    principal: principal({ type: 'BACK_OFFICE' }),
    params: { clientId: fixture.client.clientId, keyId },
    body,
  });
  assert.equal(status, 200, JSON.stringify(key));
  return key;
}

test('creditCards.authorize 200 PAY-3: keys are rotated under load and no request fails', async () => {
  const processes = [paymentHandlers(fixture.deps), paymentHandlers(fixture.deps)];
  const late = new Sender(processes, false);
  const senders = [late, ...Array.from({ length: SENDERS - 1 }, () => new Sender(processes, true))];
  const running = Promise.all(senders.map((sender) => sender.run()));
  let old: { readonly keyId: string } = fixture.key;
  // Each has read its first key by then, and the late one does not read again until it is told.
  await Promise.all(senders.map((sender) => sender.sends(1)));
  for (const algorithm of ROUNDS) {
    // Newest first: the list of equal times would leave it open which key is meant.
    fixture.clock.advance(1);
    const { keyId } = await office('issue', { body: { algorithm, state: 'PENDING' } });
    await office('activate', { keyId });
    const prompt = senders.filter((sender) => sender !== late);
    await Promise.all(prompt.map((sender) => sender.hasSwitched()));
    await office('retire', { keyId: old.keyId });
    await late.sends(4);
    assert.deepEqual(
      late.answers.slice(-3).map((sent) => sent.keyId),
      [old.keyId, old.keyId, old.keyId],
      'the late one still uses the retired key',
    );
    await Promise.all(senders.map((sender) => sender.hasSwitched()));
    await office('destroy', { keyId: old.keyId });
    old = { keyId };
  }
  for (const sender of senders) sender.stop();
  await running;
  const sent = senders.flatMap((sender) => sender.answers);
  const failed = sent.filter(({ answer }) => answer.body.paymentState !== 'AUTHORIZED');
  assert.deepEqual(failed, []);
  assert.equal(new Set(sent.map(({ keyId }) => keyId)).size, ROUNDS.length + 1);
  assert.equal(fixture.processor.ledger().length, sent.length);
});

test('creditCards.authorize 422 PAY-3: a destroyed key opens in no process anymore', async () => {
  const processes = [paymentHandlers(fixture.deps), paymentHandlers(fixture.deps)];
  const { clientId } = fixture.client;
  const key = await fixture.addKey(clientId);
  const spare = await fixture.addKey(clientId);
  const statuses = async (used: typeof key) => {
    const body = await fixture.body({ key: used });
    const answers = processes.map((handlers) => fixture.put({ body, handlers }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  assert.deepEqual(await statuses(key), [200, 200], 'both processes have opened it');
  await office('destroy', { keyId: key.keyId });
  assert.deepEqual(await statuses(key), [422, 422]);
  assert.deepEqual(await statuses(spare), [200, 200]);
});

test('creditCards.authorize 200 PAY-3: without keyId each live legacy key opens', async () => {
  const holder = await fixture.addClient();
  const legacyHolder = { ...holder, holdsLegacyCardKey: true };
  const { clientId } = holder;
  const parts = { principal: principal({ type: 'BACK_OFFICE' }) };
  const body = { algorithm: 'RSA-OAEP-SHA1', legacy: true };
  const keys: CardKey[] = [];
  for (const _ of [1, 2]) {
    const id = 'backOffice.cardKeys.issue';
    keys.push(
      (await callOperation(fixture.office, id, { ...parts, params: { clientId }, body })).body,
    );
  }
  const put = async (key: CardKey | undefined) => {
    assert.ok(key);
    const sound = await fixture.body({ key, fields: { keyId: undefined } });
    return (await fixture.put({ principal: legacyHolder, body: sound })).status;
  };
  assert.deepEqual([await put(keys[0]), await put(keys[1])], [200, 200]);
  const params = { clientId, keyId: keys[0]?.keyId ?? '' };
  await callOperation(fixture.office, 'backOffice.cardKeys.destroy', { ...parts, params });
  assert.deepEqual([await put(keys[0]), await put(keys[1])], [422, 200]);
});
