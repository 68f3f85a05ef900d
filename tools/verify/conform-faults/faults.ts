import type { Answered, Fault, Sent } from './proxy.ts';

type Json = Record<string, unknown>;

/** Thirty faults that a platform may have, each against one rule. */
export const faults: readonly Fault[] = [
  {
    name: 'the answer to a login has no @class',
    rule: 'AUTH-2',
    onAnswer: at(/\/authentication\/login$/, without('@class')),
  },
  {
    name: 'the name of the Bearer scheme has to be in capitals',
    rule: 'AUTH-5',
    onRequest: ({ headers }) => {
      if (!headers.authorization?.startsWith('Bearer ')) delete headers.authorization;
    },
  },
  {
    name: 'a 401 has no WWW-Authenticate',
    rule: 'AUTH-5',
    onAnswer: ({ headers }) => {
      delete headers['www-authenticate'];
    },
  },
  {
    name: 'a login tells which clients exist',
    rule: 'AUTH-1',
    onAnswer: at(/\/authentication\/login$/, (body, { status }, { body: sent }) => {
      if (status === 401 && sent.includes('-0000-4000-')) body.message = 'There is no such client.';
    }),
  },
  {
    name: 'a missing scope is no reason to refuse',
    rule: 'AUTH-8',
    onAnswer: (answered) => {
      if (answered.status === 403 && answered.body.includes('stock:read')) {
        answered.status = 200;
        answered.body = Buffer.from('[]');
      }
    },
  },
  {
    name: 'an error leaves out what is null',
    rule: 'API-1',
    onAnswer: inErrors((body) => {
      for (const [name, value] of Object.entries(body)) if (value === null) delete body[name];
    }),
  },
  { name: 'the code of an error is 0', rule: 'API-2', onAnswer: inErrors(setting('code', 0)) },
  {
    name: 'responses have no request ID',
    rule: 'API-3',
    onAnswer: ({ headers }) => dropHeader(headers, /-request-id$/),
  },
  {
    name: 'a 404 tells which restaurants exist',
    rule: 'API-4',
    onAnswer: inErrors((body, answered) => {
      if (answered.status === 403 && /does not exist|not connected/.test(String(body.message))) {
        answered.status = 404;
        body.status = 404;
      }
    }),
  },
  {
    name: 'a path is looked up before the token',
    rule: 'API-5',
    onAnswer: inErrors((body, answered, { path }) => {
      if (answered.status === 401 && !/^\/(stock|config|partners|restaurants)\//.test(path)) {
        answered.status = 404;
        body.status = 404;
      }
    }),
  },
  {
    name: 'a 405 does not say which methods there are',
    rule: 'API-5',
    onAnswer: ({ headers }) => {
      delete headers.allow;
    },
  },
  {
    name: 'the end of the budget is in milliseconds',
    rule: 'API-7',
    onAnswer: ({ headers }) => {
      const name = Object.keys(headers).find((each) => each.endsWith('-ratelimit-reset'));
      if (name) headers[name] = `${headers[name]}000`;
    },
  },
  {
    name: 'a + of a timestamp has to be encoded',
    rule: 'API-8',
    onRequest: (sent) => {
      sent.path = sent.path.replace(/(lastModified=[^&]*)(?:\+|%20)(?=\d{2}:?\d{2}$)/, '$1x');
    },
  },
  {
    name: 'an unknown property is refused',
    rule: 'API-9',
    onRequest: (sent) => {
      if (sent.body.includes('"surprise"')) sent.body = '{';
    },
  },
  {
    name: 'a body may be of any size',
    rule: 'API-9',
    onRequest: (sent) => {
      sent.body = sent.body.trim();
    },
  },
  {
    name: 'of a key that comes twice, the last one counts',
    rule: 'API-9',
    onRequest: (sent) => {
      try {
        sent.body = JSON.stringify(JSON.parse(sent.body));
      } catch {
        // It goes on as it is.
      }
    },
  },
  {
    name: 'fields without a value are left out',
    rule: 'API-10',
    onAnswer: at(/^\/config\//, (body) => {
      for (const [name, value] of Object.entries(body)) if (value === null) delete body[name];
    }),
  },
  {
    name: 'an ETag is a weak one',
    rule: 'API-11',
    onAnswer: ({ headers }) => {
      if (headers.etag) headers.etag = `W/${headers.etag}`;
    },
  },
  {
    name: 'If-None-Match is ignored',
    rule: 'API-11',
    onRequest: ({ headers }) => {
      delete headers['if-none-match'];
    },
  },
  {
    name: 'a payment that is repeated is another payment',
    rule: 'PAY-7',
    onRequest: chargingAgain(),
  },
  {
    name: 'a denied payment has the data of a receipt',
    rule: 'PAY-5',
    onAnswer: at(/^\/ccpartner\//, (body) => {
      if (body.paymentState === 'DENIED') body.authorizationMetadata = { cardBrand: 'Visa' };
    }),
  },
  {
    name: 'amounts are texts',
    rule: 'PAY-6',
    onAnswer: at(/^\/ccpartner\//, (body) => {
      if (typeof body.amount === 'number') body.amount = body.amount.toFixed(2);
    }),
  },
  {
    name: 'a value that is wrong is a 400',
    rule: 'PAY-5',
    onAnswer: (answered) => {
      if (answered.status === 422) answered.status = 400;
    },
  },
  {
    name: 'stock can be listed by IN_STOCK',
    rule: 'STK-1',
    onRequest: (sent) => {
      sent.path = sent.path.replace('status=IN_STOCK', 'status=');
    },
  },
  {
    name: 'an item that is asked for twice is answered once',
    rule: 'STK-2',
    onAnswer: (answered, { path }) => {
      if (!path.endsWith('/inventory/search') || answered.status !== 200) return;
      const elements: Json[] = JSON.parse(answered.body.toString());
      const once = new Map(elements.map((each) => [JSON.stringify(each), each]));
      answered.body = Buffer.from(JSON.stringify([...once.values()]));
    },
  },
  {
    name: 'an update is answered in an order of its own',
    rule: 'STK-5',
    onAnswer: (answered, { path }) => {
      if (!path.endsWith('/inventory/update') || answered.status !== 200) return;
      const elements: Json[] = JSON.parse(answered.body.toString());
      answered.body = Buffer.from(JSON.stringify(elements.reverse()));
    },
  },
  {
    name: 'an unknown object is a 400',
    rule: 'CFG-10',
    onAnswer: (answered, { path }) => {
      if (path.startsWith('/config/') && answered.status === 404) answered.status = 400;
    },
  },
  {
    name: 'a page token that was changed gives the first page',
    rule: 'CFG-9',
    onRequest: forgivingTokens(),
  },
  {
    name: 'the count of all results is that of the page',
    rule: 'PTN-2',
    onAnswer: at(/\/connectedRestaurants/, (body) => {
      if (Array.isArray(body.results)) body.totalResultCount = body.results.length;
    }),
  },
  {
    name: 'archived restaurants are always described',
    rule: 'RST-2',
    onRequest: (sent) => {
      const isOne = /^\/restaurants\/v1\/restaurants\/[^/?]+$/.test(sent.path);
      if (isOne) sent.path += '?includeArchived=true';
    },
  },
];

type Change = (body: Json, answered: Answered, sent: Sent) => void;

/** Changes the JSON objects of responses to such paths. */
function at(path: RegExp, change: Change): NonNullable<Fault['onAnswer']> {
  return (answered, sent) => {
    if (path.test(sent.path.split('?')[0] ?? '')) inJson(change)(answered, sent);
  };
}

function inErrors(change: Change): NonNullable<Fault['onAnswer']> {
  return (answered, sent) => {
    if (answered.status >= 400) inJson(change)(answered, sent);
  };
}

function inJson(change: Change): NonNullable<Fault['onAnswer']> {
  return (answered, sent) => {
    const isJson = String(answered.headers['content-type']).startsWith('application/json');
    const isPlain = answered.headers['content-encoding'] === undefined;
    if (!isJson || !isPlain || answered.body.length === 0) return;
    const content: Json | Json[] = JSON.parse(answered.body.toString());
    for (const body of [content].flat()) change(body, answered, sent);
    answered.body = Buffer.from(JSON.stringify(content));
  };
}

function setting(name: string, value: unknown): Change {
  return (body) => {
    body[name] = value;
  };
}

function without(name: string): Change {
  return (body) => {
    delete body[name];
  };
}

function dropHeader(headers: Answered['headers'], name: RegExp): void {
  for (const each of Object.keys(headers)) if (name.test(each)) delete headers[each];
}

/** Each request for a payment that came before goes on with a number of its own. */
function chargingAgain(): NonNullable<Fault['onRequest']> {
  const seen = new Map<string, number>();
  return (sent) => {
    if (!sent.path.startsWith('/ccpartner/')) return;
    const times = (seen.get(sent.path) ?? 0) + 1;
    seen.set(sent.path, times);
    if (times > 1) sent.path = sent.path.replace(/.{2}$/, String(times % 100).padStart(2, '0'));
  };
}

/** Remembers no tokens, so one that was never issued counts as none. */
function forgivingTokens(): NonNullable<Fault['onRequest']> {
  return (sent) => {
    sent.path = sent.path.replace(/pageToken=[^&]{0,20}(?=&|$)/, 'pageToken=');
  };
}
