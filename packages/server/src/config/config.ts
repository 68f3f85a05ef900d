import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { isLoopback } from '../http/edge/network.ts';
import type { RateLimits } from '../http/pipeline/rate-limit.ts';
import type { VelocityLimits } from '../payments/authorize/velocity-limits.ts';
import type { ProcessorConfig } from '../payments/processors/open.ts';
import type { LogLimits } from '../requests/trim-log.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';
import { nearest, unknownVariables } from './unknown-variables.ts';

type TlsConfig = { readonly host: string; readonly port: number } & (
  | { readonly certFile: string; readonly keyFile: string }
  | { readonly selfSigned: true }
);

type Grouped =
  | `tls${string}`
  | `processor${string}`
  | `rateLimit${string}`
  | `requestLog${string}`
  | `velocity${string}`
  | `webhook${string}`
  | 'trustedProxies';

export interface Config extends Omit<SettingValues, Grouped> {
  readonly tls: TlsConfig | null;
  readonly rateLimits: RateLimits;
  readonly processor: ProcessorConfig;
  /** Null if payments are not counted. */
  readonly velocityLimits: VelocityLimits | null;
  readonly requestLog: LogLimits;
  readonly trustedProxies: readonly string[];
  readonly webhookLoopback: boolean;
  readonly webhookBlockedNetworks: readonly string[];
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

/**
 * A flag wins over a variable; an empty variable counts as absent. Throws ConfigError with every
 * fault, unknown variables with our prefix among them.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Config {
  const faults = [...unknownVariables(env)];
  const given = readTexts(env, flags, faults);
  const values = readValues(given, faults);
  const config = assemble(values);
  faults.push(...contradictions(config, values, new Set(given.keys())));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

interface Given {
  readonly text: string;
  readonly source: string;
}

const names = Object.keys(settings) as SettingName[];

function readTexts(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
  faults: string[],
): Map<SettingName, Given> {
  const given = new Map<SettingName, Given>();
  for (const name of names) {
    const source = settings[name].env;
    const text = env[source];
    if (text !== undefined && text !== '') given.set(name, { text, source });
  }
  const options = Object.fromEntries(
    Object.values(settings).map(({ flag, isSwitch }) => [
      flag,
      { type: isSwitch ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...flags], options, strict: false, tokens: true });
  let unknownAt = Number.NaN;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      // The value of an unknown flag was reported with the flag.
      if (unknownAt !== token.index - 1) faults.push(strayWord(token.value));
      continue;
    }
    const name = names.find((each) => settings[each].flag === token.name);
    const source = `--${token.name}`;
    if (name === undefined) {
      unknownAt = token.index;
      const meant = nearest(token.name, Object.keys(options));
      const advice = meant === null ? '--help lists the flags.' : `is --${meant} meant?`;
      faults.push(`The flag ${token.rawName} is not known: ${advice}`);
    } else if (settings[name].isSwitch) {
      given.set(name, { text: token.value ?? 'yes', source });
    } else if (token.value === undefined || token.value.startsWith('--')) {
      faults.push(`${source} needs a value, as in ${source} ${settings[name].fallback}.`);
    } else {
      given.set(name, { text: token.value, source });
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

/** Takes what is faulty out of `given`. */
function readValues(given: Map<SettingName, Given>, faults: string[]): SettingValues {
  const values = names.map((name): [SettingName, unknown] => {
    const { parse, isSecret, isOptional, fallback } = settings[name];
    const { text, source } = given.get(name) ?? {};
    try {
      if (text !== undefined) return [name, parse(text)];
    } catch (error) {
      given.delete(name);
      const shown = isSecret ? '' : ` (it is "${text}")`;
      faults.push(`${source} ${(error as Error).message}${shown}.`);
    }
    return [name, isOptional ? null : parse(fallback)];
  });
  return Object.fromEntries(values) as SettingValues;
}

function assemble(values: SettingValues): Config {
  const { kind } = values;
  return {
    ...values,
    dataDir: resolve(values.dataDir),
    profile: kind === 'production' ? 'none' : values.profile,
    tls: tlsOf(values),
    rateLimits: {
      perSecond: values.rateLimitPerSecond,
      perQuarterHour: values.rateLimitPerQuarterHour,
      ofOperations: {
        'menus.get': values.rateLimitMenusPerSecond,
        'orders.listBulk': values.rateLimitOrdersBulkPerSecond,
      },
    },
    processor: processorOf(values),
    velocityLimits: velocityLimitsOf(values),
    requestLog: {
      days: values.requestLogDays,
      requestsPerClient: values.requestLogPerClient,
      mebibytes: values.requestLogMebibytes,
    },
    trustedProxies: values.trustedProxies ?? [],
    webhookBlockedNetworks: values.webhookBlockedNetworks ?? [],
    webhookLoopback: values.webhookLoopback ?? (kind === 'sandbox' && isForOneself(values)),
  };
}

function velocityLimitsOf(values: SettingValues): VelocityLimits | null {
  const unsaid = values.kind === 'production' ? 'on' : 'off';
  if ((values.velocityLimits ?? unsaid) === 'off') return null;
  const limits = {
    card: values.velocityPerCard,
    guest: values.velocityPerGuest,
    address: values.velocityPerAddress,
    bin: values.velocityPerBin,
    restaurant: values.velocityPerRestaurant,
    client: values.velocityPerClient,
  };
  return Object.values(limits).some((limit) => limit !== null) ? limits : null;
}

function tlsOf({ host, tlsHost, tlsPort, tlsCert, tlsKey, tlsDev }: SettingValues) {
  const address = { host: tlsHost ?? host, port: tlsPort };
  if (tlsCert !== null && tlsKey !== null) {
    return { ...address, certFile: resolve(tlsCert), keyFile: resolve(tlsKey) };
  }
  return tlsDev ? ({ ...address, selfSigned: true } as const) : null;
}

function processorOf(values: SettingValues): ProcessorConfig {
  const { kind, processorUrl: url, processorSecret: secret } = values;
  const unsaid = kind === 'production' ? 'none' : 'simulator';
  const chosen = values.processor ?? (url === null ? unsaid : 'http');
  return chosen === 'http' ? { kind: chosen, url: url ?? '', secret } : { kind: chosen };
}

type Rule = readonly [isBroken: boolean, fault: string];

function contradictions(
  config: Config,
  values: SettingValues,
  given: ReadonlySet<SettingName>,
): string[] {
  const { tlsCert, tlsKey, tlsDev } = values;
  const [set, missing] = tlsKey === null ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
  const rules: readonly Rule[] = [
    [
      (tlsCert === null) !== (tlsKey === null),
      `SERVERY_TLS_${set} is set without SERVERY_TLS_${missing}: set both or none.`,
    ],
    [
      tlsDev && (tlsCert ?? tlsKey) !== null,
      '--tls-dev creates its own certificate: use it without SERVERY_TLS_CERT and _KEY.',
    ],
    ...processorRules(config, values),
    ...uselessRules(values, given),
    ...(config.kind === 'production' ? productionRules(config, values, given) : []),
  ];
  return rules.flatMap(([isBroken, fault]) => (isBroken ? [fault] : []));
}

function processorRules({ kind, processor, workers }: Config, values: SettingValues): Rule[] {
  const isHttp = processor.kind === 'http';
  const isProduction = kind === 'production';
  return [
    [
      processor.kind === 'in-process' && workers > 1,
      `SERVERY_PROCESSOR=in-process with SERVERY_WORKERS ${workers}: each worker would know only ` +
        'the payments that it made itself: leave the processor out, or start one worker.',
    ],
    [
      isHttp && processor.url === '',
      'SERVERY_PROCESSOR=http needs SERVERY_PROCESSOR_URL: set it, or choose another.',
    ],
    [
      !isHttp && (values.processorUrl ?? values.processorSecret) !== null,
      'SERVERY_PROCESSOR_URL and _SECRET are for SERVERY_PROCESSOR=http: choose it, or leave ' +
        'them out.',
    ],
    [
      isProduction && (processor.kind === 'simulator' || processor.kind === 'in-process'),
      `SERVERY_PROCESSOR=${processor.kind} approves cards with no money behind them: ` +
        'it is for sandboxes.',
    ],
    [
      isProduction && isHttp && isClearAway(processor.url),
      'SERVERY_PROCESSOR_URL would send cards in clear to another machine: use https.',
    ],
  ];
}

/**
 * A setting without effect is a fault: the listener or limit that it describes would silently be
 * missing. Limits that are turned off explicitly keep their numbers for later.
 */
function uselessRules(values: SettingValues, given: ReadonlySet<SettingName>): Rule[] {
  const isProduction = values.kind === 'production';
  const hasTls = values.tlsDev || (values.tlsCert ?? values.tlsKey) !== null;
  const forTls = `SERVERY_TLS_CERT and SERVERY_TLS_KEY${isProduction ? '' : ', or SERVERY_TLS_DEV=yes'}`;
  const countsPayments = isProduction || given.has('velocityLimits');
  const limits = names.filter((name) => name.startsWith('velocityPer') && values[name] !== null);
  const uses: readonly [names: readonly SettingName[], isUsed: boolean, needs: string][] = [
    [['tlsPort', 'tlsHost'], hasTls, forTls],
    [limits, countsPayments, 'SERVERY_VELOCITY_LIMITS=on'],
    [['replicaUrl'], values.databaseUrl !== null, 'DATABASE_URL'],
    [['tracePercent'], values.traceUrl !== null, 'SERVERY_TRACE_URL'],
    [values.allowPlainHttp ? ['allowPlainHttp'] : [], isProduction, 'SERVERY_KIND=production'],
  ];
  return uses.flatMap(([useless, isUsed, needs]) =>
    useless.map((name): Rule => {
      const { env } = settings[name];
      const fault = `${env} has no effect without ${needs}: set that too, or leave ${env} out.`;
      return [!isUsed && given.has(name), fault];
    }),
  );
}

/** What only sandboxes have: the value that production always has, and why. */
const onlyInSandboxes = {
  profile: ['none', 'production has no demo data'],
  sandboxes: [0, 'production has no sandboxes beside it'],
  ordersKitchen: ['staff', 'in production, the staff approves and fulfills orders'],
  tlsDev: [false, 'production needs SERVERY_TLS_CERT and SERVERY_TLS_KEY instead'],
  webhookLoopback: [false, 'in production, it would let partners reach this machine'],
} as const satisfies Partial<Record<SettingName, readonly [unknown, reason: string]>>;

/** Tokens name the public address as issuer, and links lead there with the caller's token. */
function productionRules(
  { publicUrl, masterKey, databaseUrl, replicaUrl, host }: Config,
  values: SettingValues,
  given: ReadonlySet<SettingName>,
): Rule[] {
  const { allowPlainHttp } = values;
  return [
    [
      masterKey === null,
      'SERVERY_MASTER_KEY is missing: production has no default secret. ' +
        'Make one with "openssl rand -base64 32" and keep it outside the database.',
    ],
    [
      publicUrl === null,
      'SERVERY_PUBLIC_URL is missing: tokens name this address as their issuer and links lead to ' +
        'it, for all processes alike. ' +
        'Set it to the address that clients use, for example https://platform.example.',
    ],
    [
      publicUrl !== null && new URL(publicUrl).protocol !== 'https:' && !allowPlainHttp,
      `SERVERY_PUBLIC_URL ${publicUrl} would send tokens in clear: use https, or say ` +
        'SERVERY_ALLOW_PLAIN_HTTP=yes.',
    ],
    ...Object.entries({ DATABASE_URL: databaseUrl, SERVERY_REPLICA_URL: replicaUrl }).map(
      ([name, url]): Rule => [
        url !== null && isClearRemote(url.reveal()),
        `${name} leads to another machine without sslmode: add ?sslmode=verify-full, or ` +
          '?sslmode=disable when the network between is yours alone.',
      ],
    ),
    [
      !isLoopback(host) && !allowPlainHttp,
      `SERVERY_HOST ${host} would serve plain http on a public address: bind to 127.0.0.1 ` +
        'and set SERVERY_TLS_HOST for https, or say SERVERY_ALLOW_PLAIN_HTTP=yes behind a proxy.',
    ],
    ...Object.entries(onlyInSandboxes).map(([key, [always, reason]]): Rule => {
      const name = key as keyof typeof onlyInSandboxes;
      const fault = `${settings[name].env} is for sandboxes: ${reason}. Leave it out.`;
      return [given.has(name) && values[name] !== always, fault];
    }),
  ];
}

function isClearAway(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/[[\]]/g, ''));
}

/** True for a database on another machine whose address does not choose its encryption. */
function isClearRemote(databaseUrl: string): boolean {
  const { hosts, saysTls } = parseDatabaseUrl(databaseUrl);
  return !saysTls && hosts.some((host) => !host.startsWith('/') && !isLoopback(host));
}

function isForOneself({ host, publicUrl, tlsHost }: SettingValues): boolean {
  const own = publicUrl === null ? [] : [new URL(publicUrl).hostname.replace(/[[\]]/g, '')];
  return [host, tlsHost ?? host, ...own].every(isLoopback);
}
