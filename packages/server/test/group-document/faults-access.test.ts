import { testFault } from './fault-case.ts';

const items = '"menuItems": [{ "name": "Soup" }, { "name": "Bread" }]';
const stock: readonly [string, string, string, RegExp][] = [
  [
    'an item that there is not',
    '[{ "item": «"Tea", "status": "OUT_OF_STOCK" }]',
    '[0].item',
    /none/,
  ],
  ['an item in stock', '[{ "item": "Soup", "status": «"IN_STOCK" }]', '[0].status', /QUANTITY/],
  ['STK-7: no quantity', '[«{ "item": "Soup", "status": "QUANTITY" }]', '[0].quantity', /needs it/],
  [
    'STK-7: a quantity of nothing',
    '[{ "item": "Soup", "status": "QUANTITY", "quantity": «0 }]',
    '[0].quantity',
    /must be greater than 0/,
  ],
  [
    'STK-7: a quantity with five decimals',
    '[{ "item": "Soup", "status": "QUANTITY", "quantity": «0.00001 }]',
    '[0].quantity',
    /at most 12 digits before the point and 4 after it/,
  ],
  [
    'STK-7: a quantity of thirteen digits',
    '[{ "item": "Soup", "status": "QUANTITY", "quantity": «1000000000000 }]',
    '[0].quantity',
    /at most 12 digits/,
  ],
  [
    'STK-7: a quantity of what is out of stock',
    '[{ "item": "Soup", "status": "OUT_OF_STOCK", "quantity": «1 }]',
    '[0].quantity',
    /must be null or absent for OUT_OF_STOCK/,
  ],
  [
    'the same item twice',
    `[{ "item": "Soup", "status": "OUT_OF_STOCK" },
      { "item": «"Soup", "status": "OUT_OF_STOCK" }]`,
    '[1].item',
    /given twice/,
  ],
];
for (const [title, text, path, message] of stock) {
  testFault(
    `the stock of ${title} is refused`,
    { configuration: items, stock: text },
    `restaurants[0].stock${path}`,
    message,
  );
}

const clients: readonly [string, string, string, RegExp][] = [
  [
    'AUTH-7: a PARTNER account without a partner',
    '[«{ "name": "A", "userAccessType": "PARTNER", "scopes": [] }]',
    '[0].partner',
    /must name the partner/,
  ],
  [
    'AUTH-7: a CUSTOMER account with a partner',
    '[{ "name": "A", "userAccessType": "CUSTOMER", "partner": «"courier", "scopes": [] }]',
    '[0].partner',
    /be absent for a CUSTOMER/,
  ],
  [
    'a partner that there is not',
    '[{ "name": "A", "userAccessType": "PARTNER", "partner": «"nobody", "scopes": [] }]',
    '[0].partner',
    /none among the partners/,
  ],
  [
    'another kind of account',
    '[{ "name": "A", "userAccessType": «"ADMIN", "scopes": [] }]',
    '[0].userAccessType',
    /must be one of PARTNER, CUSTOMER/,
  ],
  [
    'AUTH-8: a scope that there is not',
    '[{ "name": "A", "userAccessType": "CUSTOMER", "scopes": ["stock:read", «"stock:erase"] }]',
    '[0].scopes[1]',
    /must be one of credit_cards.authorization:write, /,
  ],
  [
    'an account of the back office',
    '[{ "name": "A", "userAccessType": «"BACK_OFFICE", "scopes": [] }]',
    '[0].userAccessType',
    /must be one of PARTNER, CUSTOMER/,
  ],
  [
    'a scope of the back office',
    '[{ "name": "A", "userAccessType": "CUSTOMER", "scopes": [«"payments.lifecycle:write"] }]',
    '[0].scopes[0]',
    /must be one of credit_cards.authorization:write, /,
  ],
  [
    'AUTH-8: a scope twice',
    '[{ "name": "A", "userAccessType": "CUSTOMER", "scopes": «["stock:read", "stock:read"] }]',
    '[0].scopes',
    /must not have an element twice, as at 0 and 1/,
  ],
  [
    'a clientId with a blank',
    '[{ "clientId": «"a b", "name": "A", "userAccessType": "CUSTOMER", "scopes": [] }]',
    '[0].clientId',
    /must match .* \(The id to log in with/,
  ],
  [
    'a clientId that another one has',
    `[{ "clientId": "a", "name": "A", "userAccessType": "CUSTOMER", "scopes": [] },
      { "clientId": «"a", "name": "B", "userAccessType": "CUSTOMER", "scopes": [] }]`,
    '[1].clientId',
    /is the clientId of another account here/,
  ],
  [
    'a secret in the document',
    `[{ "name": "A", "userAccessType": "CUSTOMER", "scopes": [], «"clientSecret": "x" }]`,
    '[0].clientSecret',
    /is no field here; (perhaps|remove it)/,
  ],
];
for (const [title, text, path, message] of clients) {
  testFault(`${title} is refused`, { clients: text }, `clients${path}`, message);
}

const connections: readonly [string, string, string, RegExp][] = [
  [
    'a partner that there is not',
    '[{ "partner": «"nobody", "restaurant": "corner" }]',
    '[0].partner',
    /none among the partners with the name or key "nobody"/,
  ],
  [
    'a restaurant that there is not',
    '[{ "partner": "courier", "restaurant": «"nowhere" }]',
    '[0].restaurant',
    /none among the restaurants/,
  ],
  [
    'two that are connected already',
    `[{ "partner": "courier", "restaurant": "corner" },
      «{ "partner": "Courier", "restaurant": "Corner" }]`,
    '[1]',
    /connects the same restaurant and partner/,
  ],
  [
    'an edit before its making',
    `[{ "partner": "courier", "restaurant": "corner",
       "createdDate": "2026-02-01T00:00:00Z", "modifiedDate": «"2026-01-01T00:00:00Z" }]`,
    '[0].modifiedDate',
    /must not be before createdDate/,
  ],
];
for (const [title, text, path, message] of connections) {
  testFault(
    `a connection of ${title} is refused`,
    { connections: text },
    `connections${path}`,
    message,
  );
}

testFault(
  'two partners of one name are refused',
  { partners: '[{ "name": "Courier" }, «{ "name": "Courier" }]' },
  'partners[1]',
  /another of the partners is called "Courier" too/,
);
