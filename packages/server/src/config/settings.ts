import { FEWEST_CONNECTIONS } from '../http/edge/open-files.ts';
import { parseVelocityLimit } from '../payments/authorize/velocity.ts';
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

/** Reads the text of a setting; throws an Error that says what is allowed. */
export interface Parse<Value> {
  (text: string): Value;
  /** The words that are allowed, where there are only a few. */
  readonly choices?: readonly string[];
}

/** One setting: its name in the environment, its flag, its default, and how its text is read. */
export interface Setting<Value> {
  readonly env: string;
  /** The flag of the command line, without its two dashes. */
  readonly flag: string;
  /** What the documentation shows as the default. */
  readonly fallback: string;
  readonly description: string;
  readonly parse: Parse<Value>;
  /** True for a flag that takes no value. */
  readonly isSwitch?: boolean;
  /** True when the value must not be shown. */
  readonly isSecret?: boolean;
}

function setting<Value>(
  env: string,
  fallback: string,
  description: string,
  parse: Parse<Value>,
  options: { isSwitch?: boolean; isSecret?: boolean } = {},
): Setting<Value> {
  const flag = env
    .replace(/^SERVERY_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return { env, flag, fallback, description, parse, ...options };
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

const hostName = matching(/^[\w.:-]+$/, 'an address or a name such as 127.0.0.1');

const anyText = matching(/\S/, 'set to some text');

/**
 * Every setting of the server. The documentation's table and the reading of environment and flags
 * both come from here.
 */
export const settings = {
  host: setting('SERVERY_HOST', '127.0.0.1', 'Address that the plain listener binds to.', hostName),
  port: setting(
    'SERVERY_PORT',
    '4400',
    'Port of the plain listener; 0 picks a free one.',
    integer(0, 65_535),
  ),
  publicUrl: setting(
    'SERVERY_PUBLIC_URL',
    'the plain listener’s own address',
    'Base address that clients use. Tokens name it as their issuer and links lead to it, so that ' +
      'production needs it.',
    webAddress,
  ),
  dataDir: setting(
    'SERVERY_DATA_DIR',
    '.servery',
    'Folder of the embedded database, of `demo.json` and of a sandbox’s master key.',
    anyText,
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'the embedded PostgreSQL',
    'Any PostgreSQL 15 or newer to use instead of the embedded one.',
    databaseAddress,
    { isSecret: true },
  ),
  databasePool: setting(
    'SERVERY_DATABASE_POOL',
    '10',
    'Connections that one process keeps to the database, and one more to look for changes.',
    integer(2, 200),
  ),
  workers: setting(
    'SERVERY_WORKERS',
    '1',
    'How many processes of this machine serve the one port, with one rate budget; `auto` is one ' +
      'for each processor. One worker is the server itself; of more, it takes care.',
    workerCount,
  ),
  maxConnections: setting(
    'SERVERY_MAX_CONNECTIONS',
    'what the limit of open files allows, at most 10,000',
    'Connections of clients that one process serves at a time; further ones get a 503.',
    integer(FEWEST_CONNECTIONS, 1_000_000),
  ),
  cache: setting(
    'SERVERY_CACHE',
    '64',
    'What one process keeps ready of answers that partners ask for again and again, in MiB at ' +
      'most. What has changed since is not answered from there; 0 keeps nothing.',
    integer(0, 65_536),
  ),
  brand: setting(
    'SERVERY_BRAND',
    'Platform',
    'Prefix of branded header names. In capitals, it also appears in constants, for example the ' +
      'access type.',
    brandName,
  ),
  kind: setting(
    'SERVERY_KIND',
    'sandbox',
    '`sandbox` brings demo data and explains its refusals; `production` has no demo data and ' +
      'no default secret, and refuses unsafe settings.',
    oneOf('sandbox', 'production'),
  ),
  profile: setting(
    'SERVERY_PROFILE',
    'demo',
    'What a new sandbox is filled with: the demo group, one empty restaurant, 50,000 items, ' +
      'or nothing. With `none` there is no `demo.json`: the start says how to make an account.',
    oneOf('demo', 'empty', 'huge', 'none'),
  ),
  tlsCert: setting(
    'SERVERY_TLS_CERT',
    'none',
    'PEM file with the certificate chain: with it an https listener stands beside the plain one.',
    anyText,
  ),
  tlsKey: setting(
    'SERVERY_TLS_KEY',
    'none',
    'PEM file with the certificate’s private key.',
    anyText,
  ),
  tlsPort: setting(
    'SERVERY_TLS_PORT',
    '4443',
    'Port of the https listener; 0 picks a free one. It needs a certificate, or SERVERY_TLS_DEV.',
    integer(0, 65_535),
  ),
  tlsHost: setting(
    'SERVERY_TLS_HOST',
    'the value of SERVERY_HOST',
    'Address that the https listener binds to. It needs a certificate, or SERVERY_TLS_DEV.',
    hostName,
  ),
  tlsDev: setting(
    'SERVERY_TLS_DEV',
    'no',
    'Makes a self-signed certificate for localhost and 127.0.0.1 in the data folder, ' +
      'for sandboxes.',
    yes,
    { isSwitch: true },
  ),
  allowPlainHttp: setting(
    'SERVERY_ALLOW_PLAIN_HTTP',
    'no',
    'The explicit word for plain http on a public address in production, for use behind a ' +
      'proxy that ends TLS.',
    yes,
    { isSwitch: true },
  ),
  trustedProxies: setting(
    'SERVERY_TRUSTED_PROXIES',
    'none',
    'Addresses or networks, comma separated, whose `X-Forwarded-For` is believed for ' +
      'budgets per address.',
    networks,
  ),
  masterKey: setting(
    'SERVERY_MASTER_KEY',
    'made once in the data folder (sandbox only)',
    '32 bytes in base64 that seal private keys and digest secrets. Keep it outside the database.',
    masterKey,
    { isSecret: true },
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
    'Age, in days, at which the token signing key is replaced; the old one verifies until ' +
      'its last token ends.',
    integer(1, 3_650),
  ),
  rateLimitPerSecond: setting(
    'SERVERY_RATE_LIMIT_PER_SECOND',
    '20',
    'Requests per second of one client at one restaurant, or of one address where no ' +
      'restaurant is named.',
    integer(1, 1_000_000),
  ),
  rateLimitPerQuarterHour: setting(
    'SERVERY_RATE_LIMIT_PER_QUARTER_HOUR',
    '10000',
    'The same for 15 minutes.',
    integer(1, 1_000_000_000),
  ),
  processor: setting(
    'SERVERY_PROCESSOR',
    'simulator (sandbox), none (production); http where SERVERY_PROCESSOR_URL is set',
    'Who authorizes cards: the simulator in a process of its own or in the server’s (sandboxes ' +
      'only), whoever SERVERY_PROCESSOR_URL leads to, or nobody, which refuses every ' +
      'authorization.',
    oneOf('simulator', 'in-process', 'http', 'none'),
  ),
  processorUrl: setting(
    'SERVERY_PROCESSOR_URL',
    'none',
    'Base address of a processor that speaks the protocol of docs/processor.md.',
    webAddress,
  ),
  processorSecret: setting(
    'SERVERY_PROCESSOR_SECRET',
    'none',
    'Sent to that processor as a bearer token.',
    matching(/^[\x21-\x7e]+$/, 'letters, digits and signs without spaces'),
    { isSecret: true },
  ),
  velocityLimits: setting(
    'SERVERY_VELOCITY_LIMITS',
    'on (production), off (sandbox)',
    'Whether payments are counted against the testing of stolen cards. Those beyond a limit ' +
      'below are denied, and the guest is not told why.',
    oneOf('on', 'off'),
  ),
  velocityPerCard: setting(
    'SERVERY_VELOCITY_PER_CARD',
    '20/1h',
    'New payments with one card, at all restaurants: `COUNT/DURATION` (s, m, h, d) or `off`.',
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
    'New payments from one `originIPAddr`, or one /64 network of IPv6.',
    parseVelocityLimit,
  ),
  velocityPerBin: setting(
    'SERVERY_VELOCITY_PER_BIN',
    '120/10m',
    'New payments with cards of the same first six digits at one restaurant.',
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
    'New payments of one client, at all restaurants.',
    parseVelocityLimit,
  ),
  guestRetentionDays: setting(
    'SERVERY_GUEST_RETENTION_DAYS',
    '180',
    'Days after which what is known of the guest is removed from a payment that is over.',
    integer(1, 3_650),
  ),
  requestLogDays: setting(
    'SERVERY_REQUEST_LOG_DAYS',
    '7',
    'Days after which a request is removed from the log of requests; 0 keeps none at all.',
    integer(0, 365),
  ),
  requestLogPerClient: setting(
    'SERVERY_REQUEST_LOG_PER_CLIENT',
    '10000',
    'How many of the last requests of a client the log keeps.',
    integer(1, 1_000_000),
  ),
  requestLogMebibytes: setting(
    'SERVERY_REQUEST_LOG_MEBIBYTES',
    '512',
    'How much room the log of requests may take, in MiB; the oldest go first.',
    integer(1, 1_000_000),
  ),
  stockHistoryDays: setting(
    'SERVERY_STOCK_HISTORY_DAYS',
    '400',
    'Days after which a change of stock is removed from the history; it can be undone until then.',
    integer(1, 3_650),
  ),
  eventDays: setting(
    'SERVERY_EVENT_DAYS',
    '30',
    'Days after which an event of a partner is removed, with what became of it; not while it ' +
      'waits to be delivered.',
    integer(1, 3_650),
  ),
  webhookLoopback: setting(
    'SERVERY_WEBHOOK_LOOPBACK',
    'yes (sandbox on loopback), no (else)',
    'Whether webhooks may be sent to this machine, also over plain http. Production refuses it. ' +
      'A sandbox that others reach says no, unless it is told: they could read what answers.',
    yes,
  ),
  webhookBlockedNetworks: setting(
    'SERVERY_WEBHOOK_BLOCKED_NETWORKS',
    'none',
    'Addresses or networks, comma separated, that webhooks are not sent to, beside those that ' +
      'are not public: your own public ones, and the prefix of a NAT64 of yours.',
    networks,
  ),
  paymentAmountShape: setting(
    'SERVERY_WIRE_PAYMENT_AMOUNT_SHAPE',
    'number',
    'How `PaymentStatus` writes amounts: a number, or an object with `amount` and `currencyCode`.',
    oneOf('number', 'object'),
  ),
  paymentRepeat: setting(
    'SERVERY_PAYMENTS_REPEAT',
    'replay',
    'What an identical repeat of an authorization gets: the stored answer, or 409.',
    oneOf('replay', 'conflict'),
  ),
  stockZeroQuantity: setting(
    'SERVERY_STOCK_ZERO_QUANTITY',
    'reject',
    'What a stock update with quantity 0 does: 400, or the item is out of stock.',
    oneOf('reject', 'outOfStock'),
  ),
  connectedRestaurantsShape: setting(
    'SERVERY_WIRE_CONNECTED_RESTAURANTS_SHAPE',
    'object',
    'Whether `/connectedRestaurants` answers one page object or an array that holds it.',
    oneOf('object', 'array'),
  ),
  groupList: setting(
    'SERVERY_RESTAURANTS_GROUP_LIST',
    'all',
    'Whether a group’s list holds all its restaurants or only those that the client reaches.',
    oneOf('all', 'reachable'),
  ),
  traceUrl: setting(
    'SERVERY_TRACE_URL',
    'none, and no trace is made',
    'Where OpenTelemetry traces go, as OTLP over http: `http://127.0.0.1:4318/v1/traces`.',
    webAddress,
  ),
  tracePercent: setting(
    'SERVERY_TRACE_PERCENT',
    '100',
    'Of how many requests in a hundred a trace is sent, where no `traceparent` says it.',
    integer(0, 100),
  ),
  logLevel: setting(
    'SERVERY_LOG_LEVEL',
    'info',
    'What the log on standard error tells: `debug` adds a line for each request. It is JSON ' +
      'lines in a pipe or a file, and text on a terminal.',
    oneOf(...logLevels),
  ),
};

/** Names of the settings. */
export type SettingName = keyof typeof settings;
