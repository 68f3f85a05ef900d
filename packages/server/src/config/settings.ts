import { Secret } from '@servery/support/secret.ts';
import { FEWEST_CONNECTIONS } from '../http/edge/open-files.ts';
import { parseVelocityLimit } from '../payments/authorize/velocity-limits.ts';
import { logLevels } from '../support/log.ts';
import {
  brandName,
  databaseAddress,
  masterKey,
  networks,
  webAddress,
  workerCount,
  yes,
} from './setting-values.ts';

/** Throws an Error that says what is allowed. */
export interface Parse<Value> {
  (text: string): Value;
  readonly choices?: readonly string[];
}

export interface Setting<Value> {
  readonly env: string;
  readonly flag: string;
  /** The default or, if it is optional, what happens without a value. */
  readonly fallback: string;
  readonly description: string;
  readonly parse: Parse<Value>;
  readonly isOptional?: boolean;
  readonly isSwitch?: boolean;
  readonly isSecret?: boolean;
}

function setting<Value>(
  env: string,
  fallback: string,
  description: string,
  parse: Parse<Value>,
): Setting<Value> {
  const flag = env
    .replace(/^SERVERY_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return { env, flag, fallback, description, parse };
}

function optional<Value>(...values: Parameters<typeof setting<Value>>): Setting<Value | null> {
  return { ...setting(...values), isOptional: true };
}

function secret(
  env: string,
  without: string,
  description: string,
  check: (text: string) => string,
): Setting<Secret | null> {
  const parse = (text: string) => new Secret(check(text));
  return { ...optional(env, without, description, parse), isSecret: true };
}

function flag(env: string, description: string): Setting<boolean> {
  return { ...setting(env, 'no', description, yes), isSwitch: true };
}

function integer(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= from && value <= to) return value;
    throw new Error(`must be a whole number from ${from} to ${to}`);
  };
}

function oneOf<Value extends string>(...choices: Value[]): Parse<Value> {
  const parse = (text: string) => {
    const value = choices.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new Error(`must be ${choices.map((candidate) => `"${candidate}"`).join(' or ')}`);
  };
  return Object.assign(parse, { choices });
}

function matching(pattern: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new Error(`must be ${what}`);
  };
}

const hostName = matching(/^[\w.:-]+$/, 'an address or a host name, for example 127.0.0.1');

const anyText = matching(/\S/, 'set to some text');

/** The documentation's table and the reading of environment and flags both come from here. */
export const settings = {
  host: setting('SERVERY_HOST', '127.0.0.1', 'Address the HTTP listener binds to.', hostName),
  port: setting(
    'SERVERY_PORT',
    '4400',
    'Port of the HTTP listener. `0` picks a free port.',
    integer(0, 65_535),
  ),
  publicUrl: optional(
    'SERVERY_PUBLIC_URL',
    'the address of the HTTP listener',
    'Base URL that clients use. It is the issuer of tokens and the start of links. ' +
      'Required in production.',
    webAddress,
  ),
  dataDir: setting(
    'SERVERY_DATA_DIR',
    '.servery',
    'Directory of the embedded database, of `demo.json`, and of a sandbox’s master key. If ' +
      'servers share it, `demo.json` points to the first one; once it stops, to another.',
    anyText,
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'the embedded PostgreSQL',
    'PostgreSQL 15 or newer to use instead of the embedded one. Behind a pooler in transaction ' +
      'mode, add `pooler=transaction`.',
    databaseAddress,
  ),
  databasePool: setting(
    'SERVERY_DATABASE_POOL',
    '20',
    'Database connections per process. Each process opens one more to watch for changes.',
    integer(2, 200),
  ),
  replicaUrl: secret(
    'SERVERY_REPLICA_URL',
    'none',
    'Read replica of the database, for reads of restaurants, configuration, menus, and stock. ' +
      'Each process opens up to `SERVERY_DATABASE_POOL` connections there.',
    databaseAddress,
  ),
  workers: setting(
    'SERVERY_WORKERS',
    '1',
    'Number of processes on this machine that share the port and the rate limits. `auto` ' +
      'starts one per CPU core.',
    workerCount,
  ),
  maxConnections: optional(
    'SERVERY_MAX_CONNECTIONS',
    'as the open file limit allows, up to 10,000',
    'Client connections per process. Any more get a 503.',
    integer(FEWEST_CONNECTIONS, 1_000_000),
  ),
  cache: setting(
    'SERVERY_CACHE',
    '64',
    'Memory per process for cached responses, in MiB. Changed data is never served from it. ' +
      '`0` turns the cache off.',
    integer(0, 65_536),
  ),
  brand: setting(
    'SERVERY_BRAND',
    'Platform',
    'Prefix of branded header names and, in capitals, of some constants.',
    brandName,
  ),
  kind: setting(
    'SERVERY_KIND',
    'sandbox',
    '`sandbox` has demo data, explains refused requests, and lets you inject faults. ' +
      '`production` rejects unsafe settings.',
    oneOf('sandbox', 'production'),
  ),
  profile: setting(
    'SERVERY_PROFILE',
    'demo',
    'Contents of a new sandbox: a demo group, one empty restaurant, 50,000 items, or ' +
      'nothing. `none` writes no `demo.json`; the server says how to create an account.',
    oneOf('demo', 'empty', 'huge', 'none'),
  ),
  sandboxes: setting(
    'SERVERY_SANDBOXES',
    '100',
    'Maximum number of sandboxes alongside the main environment. Production has none.',
    integer(0, 10_000),
  ),
  tlsCert: optional(
    'SERVERY_TLS_CERT',
    'none',
    'PEM file with the certificate chain. Adds an HTTPS listener beside the HTTP one.',
    anyText,
  ),
  tlsKey: optional(
    'SERVERY_TLS_KEY',
    'none',
    'PEM file with the certificate’s private key.',
    anyText,
  ),
  tlsPort: setting(
    'SERVERY_TLS_PORT',
    '4443',
    'Port of the HTTPS listener. Requires a certificate or SERVERY_TLS_DEV.',
    integer(0, 65_535),
  ),
  tlsHost: optional(
    'SERVERY_TLS_HOST',
    'the value of SERVERY_HOST',
    'Address the HTTPS listener binds to.',
    hostName,
  ),
  tlsDev: flag(
    'SERVERY_TLS_DEV',
    'Creates a self-signed certificate for localhost and 127.0.0.1. For sandboxes.',
  ),
  allowPlainHttp: flag(
    'SERVERY_ALLOW_PLAIN_HTTP',
    'Allows plain HTTP on a public address in production, behind a proxy that terminates TLS.',
  ),
  trustedProxies: optional(
    'SERVERY_TRUSTED_PROXIES',
    'none',
    'Comma-separated addresses or networks of proxies whose `X-Forwarded-For` is trusted ' +
      'for rate limits per address.',
    networks,
  ),
  masterKey: secret(
    'SERVERY_MASTER_KEY',
    'in a sandbox, created in the data directory',
    '32 bytes in base64. Encrypts private keys and other secrets, and keys the HMACs of secrets. ' +
      'Keep it outside the database.',
    masterKey,
  ),
  tokenLifetimeSeconds: setting(
    'SERVERY_TOKEN_LIFETIME_SECONDS',
    '86400',
    'Lifetime of an access token, in seconds.',
    integer(61, 2_592_000),
  ),
  signingKeyDays: setting(
    'SERVERY_SIGNING_KEY_DAYS',
    '90',
    'Age at which the token signing key is replaced, in days.',
    integer(1, 3_650),
  ),
  rateLimitPerSecond: setting(
    'SERVERY_RATE_LIMIT_PER_SECOND',
    '20',
    'Requests per second of one client at one restaurant, or of one address if the request ' +
      'names no restaurant.',
    integer(1, 1_000_000),
  ),
  rateLimitPerQuarterHour: setting(
    'SERVERY_RATE_LIMIT_PER_QUARTER_HOUR',
    '10000',
    'The same limit per 15 minutes.',
    integer(1, 1_000_000_000),
  ),
  rateLimitOrdersBulkPerSecond: setting(
    'SERVERY_RATE_LIMIT_ORDERS_BULK_PER_SECOND',
    '5',
    'Requests per second of one client to `/ordersBulk` at one restaurant.',
    integer(1, 1_000_000),
  ),
  rateLimitMenusPerSecond: setting(
    'SERVERY_RATE_LIMIT_MENUS_PER_SECOND',
    '1',
    'Reads of the menus per second of one client at one restaurant.',
    integer(1, 1_000_000),
  ),
  processor: optional(
    'SERVERY_PROCESSOR',
    'sandbox: simulator; production: none; with SERVERY_PROCESSOR_URL: http',
    'What authorizes cards: the simulator in its own process or inside the server ' +
      '(sandboxes only), the processor at SERVERY_PROCESSOR_URL, or nothing.',
    oneOf('simulator', 'in-process', 'http', 'none'),
  ),
  processorUrl: optional(
    'SERVERY_PROCESSOR_URL',
    'none',
    'Base URL of a processor that speaks the protocol in ' +
      'docs/reference/processor-protocol.md.',
    webAddress,
  ),
  processorSecret: secret(
    'SERVERY_PROCESSOR_SECRET',
    'none',
    'Bearer token sent to that processor.',
    matching(/^[\x21-\x7e]+$/, 'letters, digits and signs without spaces'),
  ),
  velocityLimits: optional(
    'SERVERY_VELOCITY_LIMITS',
    'production: on; sandbox: off',
    'Whether to limit payments to stop the testing of stolen cards. A payment over a limit ' +
      'below is denied, and the guest is not told why.',
    oneOf('on', 'off'),
  ),
  velocityPerCard: setting(
    'SERVERY_VELOCITY_PER_CARD',
    '20/1h',
    'New payments with one card at all restaurants: `COUNT/DURATION` (s, m, h, d) or `off`.',
    parseVelocityLimit,
  ),
  velocityPerGuest: setting(
    'SERVERY_VELOCITY_PER_GUEST',
    '30/1h',
    'New payments with one `guestIdentifier` of one client.',
    parseVelocityLimit,
  ),
  velocityPerAddress: setting(
    'SERVERY_VELOCITY_PER_ADDRESS',
    '300/10m',
    'New payments from one `originIPAddr`, or from one IPv6 /64 network.',
    parseVelocityLimit,
  ),
  velocityPerBin: setting(
    'SERVERY_VELOCITY_PER_BIN',
    '120/10m',
    'New payments at one restaurant with cards that share their first six digits.',
    parseVelocityLimit,
  ),
  velocityPerRestaurant: setting(
    'SERVERY_VELOCITY_PER_RESTAURANT',
    '600/10m',
    'New payments at one restaurant.',
    parseVelocityLimit,
  ),
  velocityPerClient: setting(
    'SERVERY_VELOCITY_PER_CLIENT',
    '30000/10m',
    'New payments of one client at all restaurants.',
    parseVelocityLimit,
  ),
  guestRetentionDays: setting(
    'SERVERY_GUEST_RETENTION_DAYS',
    '180',
    'Days after which guest data is removed from finished payments.',
    integer(1, 3_650),
  ),
  requestLogDays: setting(
    'SERVERY_REQUEST_LOG_DAYS',
    '7',
    'Days that the request log keeps a request. `0` turns the log off.',
    integer(0, 365),
  ),
  requestLogPerClient: setting(
    'SERVERY_REQUEST_LOG_PER_CLIENT',
    '10000',
    'How many of a client’s most recent requests the request log keeps.',
    integer(1, 1_000_000),
  ),
  requestLogMebibytes: setting(
    'SERVERY_REQUEST_LOG_MEBIBYTES',
    '512',
    'Maximum size of the request log, in MiB. The oldest requests are removed first.',
    integer(1, 1_000_000),
  ),
  stockHistoryDays: setting(
    'SERVERY_STOCK_HISTORY_DAYS',
    '400',
    'Days that a stock change stays in the history and can be undone.',
    integer(1, 3_650),
  ),
  eventDays: setting(
    'SERVERY_EVENT_DAYS',
    '30',
    'Days that a partner’s event and its deliveries are kept. An event that waits for ' +
      'delivery is kept longer.',
    integer(1, 3_650),
  ),
  webhookLoopback: optional(
    'SERVERY_WEBHOOK_LOOPBACK',
    'sandbox on loopback: yes; otherwise no',
    'Whether webhooks may be sent to this machine, including over plain HTTP. Production refuses ' +
      '`yes`.',
    yes,
  ),
  webhookBlockedNetworks: optional(
    'SERVERY_WEBHOOK_BLOCKED_NETWORKS',
    'none',
    'Comma-separated addresses or networks that webhooks must not reach, besides private ones: ' +
      'for example, your public addresses and your NAT64 prefix.',
    networks,
  ),
  paymentAmountShape: setting(
    'SERVERY_WIRE_PAYMENT_AMOUNT_SHAPE',
    'number',
    'How `PaymentStatus` writes amounts: a number, or an object with `amount` and ' +
      '`currencyCode`.',
    oneOf('number', 'object'),
  ),
  paymentRepeat: setting(
    'SERVERY_PAYMENTS_REPEAT',
    'replay',
    'Response to an identical repeat of an authorization: the stored response, or a 409.',
    oneOf('replay', 'conflict'),
  ),
  stockZeroQuantity: setting(
    'SERVERY_STOCK_ZERO_QUANTITY',
    'reject',
    'What a stock update with quantity 0 does: it is a 400, or sets the item out of stock.',
    oneOf('reject', 'outOfStock'),
  ),
  ordersStock: setting(
    'SERVERY_ORDERS_STOCK',
    'enforce',
    'Whether orders of items that are out of stock are refused, or accepted anyway.',
    oneOf('enforce', 'ignore'),
  ),
  ordersRepeat: setting(
    'SERVERY_ORDERS_REPEAT',
    'conflict',
    'Response to the same order with the same `externalId`: a 409, or the stored order.',
    oneOf('conflict', 'replay'),
  ),
  ordersPercentTaxBasis: setting(
    'SERVERY_ORDERS_PERCENT_TAX_BASIS',
    'selection',
    'Whether percentage taxes are rounded for each selection, or once for the check.',
    oneOf('selection', 'check'),
  ),
  ordersAutoFulfil: setting(
    'SERVERY_ORDERS_AUTO_FULFIL',
    'closeOut',
    'Whether the closeout captures the card payments of orders that nobody fulfilled, and ' +
      'fulfills those orders that are paid.',
    oneOf('closeOut', 'never'),
  ),
  ordersKitchen: setting(
    'SERVERY_ORDERS_KITCHEN',
    'staff',
    'Who approves, prepares, and fulfills orders: the staff, or a simulated kitchen that follows ' +
      'the clock. Production always has staff.',
    oneOf('staff', 'simulated'),
  ),
  orderGuestDays: setting(
    'SERVERY_ORDER_GUEST_DAYS',
    '400',
    'Days after the business date of an order until its guest data is erased.',
    integer(1, 36_500),
  ),
  connectedRestaurantsShape: setting(
    'SERVERY_WIRE_CONNECTED_RESTAURANTS_SHAPE',
    'object',
    'Whether `/connectedRestaurants` returns a page object, or an array with that object.',
    oneOf('object', 'array'),
  ),
  groupList: setting(
    'SERVERY_RESTAURANTS_GROUP_LIST',
    'all',
    'Whether a group’s list has all of its restaurants, or only those the client can reach.',
    oneOf('all', 'reachable'),
  ),
  traceUrl: optional(
    'SERVERY_TRACE_URL',
    'none: tracing is off',
    'Where to send OpenTelemetry traces, as OTLP over HTTP: ' +
      '`http://127.0.0.1:4318/v1/traces`.',
    webAddress,
  ),
  tracePercent: setting(
    'SERVERY_TRACE_PERCENT',
    '100',
    'Percentage of requests to trace if the request has no `traceparent`.',
    integer(0, 100),
  ),
  logLevel: setting(
    'SERVERY_LOG_LEVEL',
    'info',
    'Level of the log on standard error. `debug` adds a line per request. The log is JSON ' +
      'lines in a pipe or file, and text on a terminal. Messages about starting and stopping are ' +
      'always plain text.',
    oneOf(...logLevels),
  ),
};

export type SettingName = keyof typeof settings;

export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value>
    ? Value
    : never;
};
