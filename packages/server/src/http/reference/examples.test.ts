import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf, operationById } from '@servery/contract';
import { type ExampleRequest, exampleIn } from './examples.ts';

const base = { baseUrl: 'http://127.0.0.1:4400', brand: 'Acme', params: {}, query: {} };

const update: ExampleRequest = {
  ...base,
  operation: operationById('stock.update'),
  restaurant: 'r-1',
  contentType: 'application/json',
  body: [{ guid: "it's", quantity: null, isNew: true }],
};

test('reference: curl sends the headers of the brand, and quotes what a shell would read', () => {
  assert.equal(
    exampleIn.curl(update),
    [
      "curl -X PUT 'http://127.0.0.1:4400/stock/v1/inventory/update' \\",
      '  -H "Authorization: Bearer $TOKEN" \\',
      "  -H 'Acme-Restaurant-External-ID: r-1' \\",
      "  -H 'Content-Type: application/json' \\",
      `  -d '[\n  {\n    "guid": "it'\\''s",\n    "quantity": null,\n    "isNew": true\n  }\n]'`,
    ].join('\n'),
  );
});

test('reference: Python has its own words for null and true', () => {
  const text = exampleIn.Python(update);
  assert.match(text, /"quantity": None,\n\s+"isNew": True,/);
  assert.match(text, /"Authorization": f"Bearer \{token\}",/);
});

test('reference: TypeScript calls our client, which knows the restaurant and reads all pages', () => {
  assert.match(
    exampleIn.TypeScript(update),
    /restaurant: 'r-1',\n\}\);\nconst answer = await servery\.stock\.update\(\[\n {2}\{\n {4}guid: 'it\\'s',/,
  );
  const list: ExampleRequest = {
    ...update,
    operation: operationById('configuration.menuItems.list'),
    contentType: null,
    body: undefined,
  };
  assert.match(
    exampleIn.TypeScript(list),
    /for await \(const item of servery\.configuration\.menuItems\.list\(\)\)/,
  );
  const operation = operationById('creditCards.authorize');
  const payment: ExampleRequest = {
    ...update,
    operation,
    params: { merchantUuid: 'r-1', paymentUuid: 'p-1' },
    body: operation.requestBody && exampleOf(operation.requestBody, 'Acme'),
  };
  assert.match(
    exampleIn.TypeScript(payment),
    /servery\.payments\.authorize\(\{\n {2}paymentUuid: 'p-1'/,
  );
});

test('reference: the token service takes forms, and its examples send them', () => {
  const form: ExampleRequest = {
    ...base,
    operation: operationById('auth.token'),
    restaurant: null,
    contentType: 'application/x-www-form-urlencoded',
    body: { grant_type: 'client_credentials' },
  };
  assert.match(
    exampleIn.curl(form),
    /-u "\$CLIENT_ID:\$CLIENT_SECRET".*\n.*\n {2}-d 'grant_type=client_credentials'$/,
  );
  assert.match(exampleIn.Python(form), /urllib\.parse\.urlencode/);
});
