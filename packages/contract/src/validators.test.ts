import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultBrand } from './brand.ts';
import { exampleOf } from './examples.ts';
import { operations } from './operations.ts';
import { validateResponse, validatorFor } from './validators.ts';

test('contract: the examples of every operation fit its schemas', () => {
  for (const { id, requestBody, response } of operations) {
    for (const body of [requestBody, response]) {
      if (!body) continue;
      const validate = validatorFor(body.schema, body);
      assert.deepEqual(validate(exampleOf(body, defaultBrand)), [], `${id} ${body.schema}`);
    }
  }
});

test('stock.list 200 API-10: a missing field and a stray one are both faults', () => {
  const [sound] = exampleOf({ schema: 'MenuItemInventory', array: true }, defaultBrand) as object[];
  const { quantity, ...lacking } = sound as { quantity: number };
  assert.deepEqual(validateResponse('stock.list', 200, [sound]), []);
  assert.deepEqual(validateResponse('stock.list', 200, [lacking, { ...sound, price: quantity }]), [
    "/0 must have required property 'quantity'",
    '/1 must NOT have additional properties: price',
  ]);
});

test('configuration.menus.list 200 CFG-9: a page of more than 300 objects is a fault', () => {
  const [menu] = exampleOf({ schema: 'Menu', array: true }, defaultBrand) as object[];
  const page = (length: number) => Array.from({ length }, () => menu);
  assert.deepEqual(validateResponse('configuration.menus.list', 200, page(300)), []);
  assert.deepEqual(validateResponse('configuration.menus.list', 200, page(301)), [
    'The body must NOT have more than 300 items',
  ]);
});

test('creditCards.authorize 200 PAY-6: amounts may have either shape of the switch', () => {
  const sound = exampleOf({ schema: 'PaymentStatus', array: false }, defaultBrand) as object;
  const withAmount = (amount: unknown) =>
    validateResponse('creditCards.authorize', 200, { ...sound, amount });
  assert.deepEqual(withAmount({ amount: 12.5, currencyCode: 'USD' }), []);
  assert.deepEqual(withAmount(12.5), []);
  assert.notDeepEqual(withAmount('12.50'), []);
});

test('partners.connectedRestaurants.list 200 PTN-1: a page may have either shape', () => {
  const page = exampleOf({ schema: 'ConnectedRestaurants', array: false }, defaultBrand);
  const validate = (body: unknown) =>
    validateResponse('partners.connectedRestaurants.list', 200, body);
  assert.deepEqual(validate(page), []);
  assert.deepEqual(validate([page]), []);
  assert.notDeepEqual(validate([]), []);
});

test('contract API-1: an ErrorMessage holds ErrorMessages, to any depth', () => {
  const message = (errors: unknown[]) => ({
    status: 400,
    code: 10000,
    message: 'The body is not valid JSON: close the string that begins at line 3.',
    messageKey: null,
    fieldName: null,
    link: 'https://localhost/errors/10000',
    requestId: '5f0c1a2e-7b34-4d8a-9c61-000000000001',
    developerMessage: null,
    errors,
  });
  const validate = (body: unknown) => validateResponse('stock.update', 400, body);
  assert.deepEqual(validate(message([message([message([])])])), []);
  assert.deepEqual(validate(message([message([{}])])).length, 9);
});

test('contract: a status that is none of the operation, and a body with a 304, are faults', () => {
  assert.match(validateResponse('stock.list', 409, {})[0] ?? '', /does not answer 409/);
  assert.deepEqual(validateResponse('stock.list', 304, undefined), []);
  assert.equal(validateResponse('stock.list', 304, []).length, 1);
  assert.ok(validateResponse('stock.list', 405, {}).length > 0);
});

test('creditCards.authorize PAY-1: card data may be a string or a flattened JWE object', () => {
  const sound = exampleOf({ schema: 'PaymentAuthorization', array: false }, defaultBrand) as object;
  const validate = (encryptedCardData: unknown) =>
    validatorFor('PaymentAuthorization')({ ...sound, encryptedCardData });
  const jwe = { protected: 'e30', iv: 'aXY', ciphertext: 'Y3Q', tag: 'dGFn' };
  assert.deepEqual(validate('a.b.c.d.e'), []);
  assert.deepEqual(validate({ ...jwe, encrypted_key: 'ZWs' }), []);
  assert.notDeepEqual(validate({ ciphertext: 'Y3Q' }), []);
  assert.notDeepEqual(validate(7), []);
});

test('backOffice.payments.list 200: a page is held to its states, moves and length', () => {
  const page = exampleOf({ schema: 'BackOfficePaymentPage', array: false }, defaultBrand);
  const [payment] = (page as { results: object[] }).results;
  const validate = (results: unknown[]) =>
    validateResponse('backOffice.payments.list', 200, { results, nextPageToken: null });
  assert.deepEqual(validate(Array(200).fill(payment)), []);
  assert.equal(validate(Array(201).fill(payment)).length, 1);
  assert.notDeepEqual(validate([{ ...payment, paymentState: 'ACKNOWLEDGED' }]), []);
  assert.notDeepEqual(validate([{ ...payment, legalMoves: ['settle'] }]), []);
  assert.notDeepEqual(validate([{ ...payment, nextDeadline: { at: 'soon', action: 'VOID' } }]), []);
});

test('backOffice.clock.advance 422: a duration is one of ISO 8601', () => {
  const validate = (duration: unknown) => validatorFor('AdvanceClock')({ duration });
  for (const sound of ['PT5M', 'P1DT2H', 'P7D']) assert.deepEqual(validate(sound), [], sound);
  for (const wrong of ['5 minutes', '', 'P', 300, null]) assert.notDeepEqual(validate(wrong), []);
});

test('backOffice.payments.events 200: details are an object or null, whatever is in it', () => {
  const [event] = exampleOf({ schema: 'PaymentEvent', array: true }, defaultBrand) as object[];
  const validate = (details: unknown) =>
    validateResponse('backOffice.payments.events', 200, [{ ...event, details }]);
  assert.deepEqual(validate({ anything: [1, { deep: true }] }), []);
  assert.deepEqual(validate(null), []);
  assert.notDeepEqual(validate('approved'), []);
});
