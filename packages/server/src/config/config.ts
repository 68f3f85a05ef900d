import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { Secret } from '@servery/support/secret.ts';
import type { RateLimits } from '../http/pipeline/rate-limit.ts';
import type { VelocityLimits } from '../payments/authorize/velocity.ts';
import type { ProcessorConfig } from '../payments/processors/open.ts';
import type { LogLimits } from '../requests/trim-log.ts';
import type { LogLevel } from '../support/log.ts';
import { type Setting, type SettingName, settings } from './settings.ts';
import { unknownVariables } from './unknown-variables.ts';
import { unusedSettings } from './unused-settings.ts';

type TlsConfig = { readonly host: string; readonly port: number } & (
  | { readonly certFile: string; readonly keyFile: string }
  | { readonly selfSigned: true }
);

interface Switches {
  readonly 'wire.paymentAmountShape': 'number' | 'object';
  readonly 'payments.repeat': 'replay' | 'conflict';
  readonly 'stock.zeroQuantity': 'reject' | 'outOfStock';
  readonly 'wire.connectedRestaurantsShape': 'object' | 'array';
  readonly 'restaurants.groupList': 'all' | 'reachable';
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  readonly dataDir: string;
  readonly databaseUrl: Secret | null;
  readonly databasePool: number;
  /** Null for as many as the limit of open files allows. */
  readonly maxConnections: number | null;
  /** 0 for no cache. */
  readonly cacheMiB: number;
  /** With 1, the server is that process itself. */
  readonly workers: number;
  readonly brand: string;
  readonly kind: 'sandbox' | 'production';
  readonly profile: 'demo' | 'empty' | 'huge' | 'none';
  readonly tls: TlsConfig | null;
  readonly trustedProxies: readonly string[];
  /** Base64 of 32 bytes; null in a sandbox that makes its own. */
  readonly masterKey: Secret | null;
  readonly tokenLifetimeSeconds: number;
  readonly signingKeyDays: number;
  readonly rateLimits: RateLimits;
  readonly processor: ProcessorConfig;
  /** Null if payments are not counted. */
  readonly velocityLimits: VelocityLimits | null;
  readonly guestRetentionDays: number;
  readonly requestLog: LogLimits;
  readonly stockHistoryDays: number;
  readonly eventDays: number;
  readonly webhookLoopback: boolean;
  readonly webhookBlockedNetworks: readonly string[];
  readonly switches: Switches;
  readonly traceUrl: string | null;
  readonly tracePercent: number;
  readonly logLevel: LogLevel;
}

/** Every fault of the settings at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Values = {
  readonly [Name in SettingName]?: (typeof settings)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

type VelocitySettingName = Extract<SettingName, `velocityPer${string}`>;

/**
 * A flag wins over a variable; an empty variable counts as absent. Throws ConfigError with every
 * fault, unknown variables with our prefix among them.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Config {
  const faults = [...unknownVariables(env)];
  const values = readValues(readTexts(env, flags, faults), faults);
  const config = assemble(values);
  faults.push(...contradictions(config, values));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

interface Given {
  readonly text: string;
  readonly source: string;
}

function readTexts(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
  faults: string[],
): Map<SettingName, Given> {
  const given = new Map<SettingName, Given>();
  const names = Object.keys(settings) as SettingName[];
  for (const name of names) {
    const text = env[settings[name].env];
    if (text !== undefined && text !== '') given.set(name, { text, source: settings[name].env });
  }
  const options = Object.fromEntries(
    names.map((name): [string, { type: 'boolean' | 'string' }] => [
      flagOf(name),
      { type: settings[name].isSwitch ? 'boolean' : 'string' },
    ]),
  );
  const { tokens } = parseArgs({ args: [...flags], options, strict: false, tokens: true });
  let unknownAt = Number.NaN;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    const name = token.kind === 'option' ? names.find((n) => flagOf(n) === token.name) : undefined;
    if (token.kind === 'positional') {
      // The value of an unknown flag was reported with the flag.
      if (unknownAt !== token.index - 1) faults.push(strayWord(token.value));
    } else if (name === undefined) {
      unknownAt = token.index;
      faults.push(`The flag ${token.rawName} is not known: --help lists the flags.`);
    } else if (settings[name].isSwitch) {
      given.set(name, { text: token.value ?? 'yes', source: `--${token.name}` });
    } else if (token.value === undefined || token.value.startsWith('--')) {
      faults.push(
        `--${token.name} needs a value, as in --${token.name} ${settings[name].fallback}.`,
      );
    } else {
      given.set(name, { text: token.value, source: `--${token.name}` });
    }
  }
  return given;
}

/** A stray word is usually the value of a flag that npm took as its own. */
function strayWord(word: string): string {
  return (
    `The word "${word}" belongs to no flag. With npm, flags come after two dashes: ` +
    'npm start -- --port 4405.'
  );
}

function flagOf(name: SettingName): string {
  return settings[name].flag;
}

function readValues(given: ReadonlyMap<SettingName, Given>, faults: string[]): Values {
  const entries: [SettingName, unknown][] = [];
  for (const [name, { text, source }] of given) {
    const { parse, isSecret } = settings[name];
    try {
      entries.push([name, parse(text)]);
    } catch (error) {
      const shown = isSecret ? '' : ` (it is "${text}")`;
      faults.push(`${source} ${(error as Error).message}${shown}.`);
    }
  }
  return Object.fromEntries(entries) as Values;
}

function assemble(values: Values): Config {
  const kind = values.kind ?? 'sandbox';
  const host = values.host ?? settings.host.fallback;
  return {
    host,
    port: values.port ?? Number(settings.port.fallback),
    publicUrl: values.publicUrl ?? null,
    dataDir: resolve(values.dataDir ?? settings.dataDir.fallback),
    databaseUrl: values.databaseUrl === undefined ? null : new Secret(values.databaseUrl),
    maxConnections: values.maxConnections ?? null,
    cacheMiB: values.cache ?? Number(settings.cache.fallback),
    databasePool: values.databasePool ?? Number(settings.databasePool.fallback),
    workers: values.workers ?? Number(settings.workers.fallback),
    brand: values.brand ?? settings.brand.fallback,
    kind,
    profile: kind === 'production' ? 'none' : (values.profile ?? 'demo'),
    tls: assembleTls(values, values.tlsHost ?? host),
    trustedProxies: values.trustedProxies ?? [],
    masterKey: values.masterKey === undefined ? null : new Secret(values.masterKey),
    tokenLifetimeSeconds:
      values.tokenLifetimeSeconds ?? Number(settings.tokenLifetimeSeconds.fallback),
    signingKeyDays: values.signingKeyDays ?? Number(settings.signingKeyDays.fallback),
    rateLimits: {
      perSecond: values.rateLimitPerSecond ?? Number(settings.rateLimitPerSecond.fallback),
      perQuarterHour:
        values.rateLimitPerQuarterHour ?? Number(settings.rateLimitPerQuarterHour.fallback),
    },
    processor: assembleProcessor(values, kind),
    velocityLimits: assembleVelocityLimits(values, kind),
    guestRetentionDays: values.guestRetentionDays ?? Number(settings.guestRetentionDays.fallback),
    requestLog: assembleRequestLog(values),
    stockHistoryDays: values.stockHistoryDays ?? Number(settings.stockHistoryDays.fallback),
    eventDays: values.eventDays ?? Number(settings.eventDays.fallback),
    webhookLoopback: values.webhookLoopback ?? (kind === 'sandbox' && isForOneself(values, host)),
    webhookBlockedNetworks: values.webhookBlockedNetworks ?? [],
    switches: {
      'wire.paymentAmountShape': values.paymentAmountShape ?? 'number',
      'payments.repeat': values.paymentRepeat ?? 'replay',
      'stock.zeroQuantity': values.stockZeroQuantity ?? 'reject',
      'wire.connectedRestaurantsShape': values.connectedRestaurantsShape ?? 'object',
      'restaurants.groupList': values.groupList ?? 'all',
    },
    traceUrl: values.traceUrl ?? null,
    tracePercent: values.tracePercent ?? Number(settings.tracePercent.fallback),
    logLevel: values.logLevel ?? 'info',
  };
}

function assembleRequestLog(values: Values): LogLimits {
  const { requestLogDays, requestLogPerClient, requestLogMebibytes } = settings;
  return {
    days: values.requestLogDays ?? Number(requestLogDays.fallback),
    requestsPerClient: values.requestLogPerClient ?? Number(requestLogPerClient.fallback),
    mebibytes: values.requestLogMebibytes ?? Number(requestLogMebibytes.fallback),
  };
}

function assembleVelocityLimits(values: Values, kind: Config['kind']): VelocityLimits | null {
  if ((values.velocityLimits ?? (kind === 'production' ? 'on' : 'off')) === 'off') return null;
  const limitOf = (name: VelocitySettingName) => {
    const value = values[name];
    return value === undefined ? settings[name].parse(settings[name].fallback) : value;
  };
  const limits = {
    card: limitOf('velocityPerCard'),
    guest: limitOf('velocityPerGuest'),
    address: limitOf('velocityPerAddress'),
    bin: limitOf('velocityPerBin'),
    restaurant: limitOf('velocityPerRestaurant'),
    client: limitOf('velocityPerClient'),
  };
  return Object.values(limits).some((limit) => limit !== null) ? limits : null;
}

function assembleTls(values: Values, host: string): TlsConfig | null {
  const port = values.tlsPort ?? Number(settings.tlsPort.fallback);
  if (values.tlsCert !== undefined && values.tlsKey !== undefined) {
    return { host, port, certFile: resolve(values.tlsCert), keyFile: resolve(values.tlsKey) };
  }
  return values.tlsDev ? { host, port, selfSigned: true } : null;
}

function assembleProcessor(values: Values, kind: Config['kind']): ProcessorConfig {
  const { processorUrl: url, processorSecret: secret } = values;
  const unsaid = kind === 'production' ? 'none' : 'simulator';
  const chosen = values.processor ?? (url === undefined ? unsaid : 'http');
  if (chosen !== 'http') return { kind: chosen };
  return { kind: chosen, url: url ?? '', secret: secret === undefined ? null : new Secret(secret) };
}

function contradictions(config: Config, values: Values): string[] {
  const faults: string[] = [];
  const hasCert = values.tlsCert !== undefined;
  const hasKey = values.tlsKey !== undefined;
  if (hasCert !== hasKey) {
    const [set, missing] = hasCert ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
    faults.push(`SERVERY_TLS_${set} is set without SERVERY_TLS_${missing}: set both or none.`);
  }
  if (values.tlsDev && (hasCert || hasKey)) {
    faults.push('--tls-dev makes its own certificate: use it without SERVERY_TLS_CERT and _KEY.');
  }
  faults.push(...processorFaults(config, values));
  faults.push(...unusedSettings(values, config.kind));
  if (config.kind === 'production') faults.push(...productionFaults(config, values));
  return faults;
}

function productionFaults(config: Config, values: Values): string[] {
  const faults: string[] = [];
  if (!config.masterKey) {
    faults.push(
      'SERVERY_MASTER_KEY is missing: production has no default secret. ' +
        'Make one with "openssl rand -base64 32" and keep it outside the database.',
    );
  }
  faults.push(...publicUrlFaults(config, values));
  if (config.databaseUrl && isClearRemote(config.databaseUrl.reveal())) {
    faults.push(
      'DATABASE_URL leads to another machine without sslmode: add ?sslmode=verify-full, or ' +
        '?sslmode=disable when the network between is yours alone.',
    );
  }
  if (!isLoopback(config.host) && !values.allowPlainHttp) {
    faults.push(
      `SERVERY_HOST ${config.host} would serve plain http on a public address: bind to 127.0.0.1 ` +
        'and set SERVERY_TLS_HOST for https, or say SERVERY_ALLOW_PLAIN_HTTP=yes behind a proxy.',
    );
  }
  if (values.tlsDev) {
    faults.push('--tls-dev is for sandboxes: set SERVERY_TLS_CERT and SERVERY_TLS_KEY instead.');
  }
  if (values.webhookLoopback) {
    faults.push(
      'SERVERY_WEBHOOK_LOOPBACK would let partners reach this machine: it is for sandboxes.',
    );
  }
  if (values.profile !== undefined && values.profile !== 'none') {
    faults.push('SERVERY_PROFILE fills sandboxes: production has no demo data, leave it out.');
  }
  return faults;
}

function processorFaults({ kind, processor, workers }: Config, values: Values): string[] {
  const faults: string[] = [];
  if (processor.kind === 'in-process' && workers > 1) {
    faults.push(
      `SERVERY_PROCESSOR=in-process with SERVERY_WORKERS ${workers}: each worker would know only ` +
        'the payments that it made itself: leave the processor out, or start one worker.',
    );
  }
  if (processor.kind === 'http' && processor.url === '') {
    faults.push('SERVERY_PROCESSOR=http needs SERVERY_PROCESSOR_URL: set it, or choose another.');
  }
  if (processor.kind !== 'http' && (values.processorUrl ?? values.processorSecret) !== undefined) {
    faults.push(
      'SERVERY_PROCESSOR_URL and _SECRET are for SERVERY_PROCESSOR=http: choose it, or leave ' +
        'them out.',
    );
  }
  if (kind !== 'production') return faults;
  if (processor.kind === 'simulator' || processor.kind === 'in-process') {
    faults.push(
      `SERVERY_PROCESSOR=${processor.kind} approves cards with no money behind them: ` +
        'it is for sandboxes.',
    );
  }
  if (processor.kind === 'http' && isClearAway(processor.url)) {
    faults.push('SERVERY_PROCESSOR_URL would send cards in clear to another machine: use https.');
  }
  return faults;
}

function isClearAway(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/[[\]]/g, ''));
}

/** Tokens name the public address as issuer, and links lead there with the caller's token. */
function publicUrlFaults({ publicUrl }: Config, values: Values): string[] {
  if (publicUrl === null) {
    return [
      'SERVERY_PUBLIC_URL is missing: tokens name this address as their issuer and links lead to ' +
        'it, for all processes alike. ' +
        'Set it to the address that clients use, for example https://platform.example.',
    ];
  }
  if (new URL(publicUrl).protocol === 'https:' || values.allowPlainHttp) return [];
  return [
    `SERVERY_PUBLIC_URL ${publicUrl} would send tokens in clear: use https, or say ` +
      'SERVERY_ALLOW_PLAIN_HTTP=yes.',
  ];
}

/** True for a database on another machine whose address does not choose its encryption. */
function isClearRemote(databaseUrl: string): boolean {
  const { hosts, saysTls } = parseDatabaseUrl(databaseUrl);
  return !saysTls && hosts.some((host) => !host.startsWith('/') && !isLoopback(host));
}

function isForOneself({ publicUrl, tlsHost }: Values, host: string): boolean {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/[[\]]/g, '')];
  return [host, tlsHost ?? host, ...own].every(isLoopback);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
