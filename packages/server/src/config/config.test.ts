import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ConfigError, readConfig } from './config.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const production = {
  SERVERY_KIND: 'production',
  SERVERY_MASTER_KEY: MASTER_KEY,
  SERVERY_PUBLIC_URL: 'https://platform.example',
};

const faultsOf = (env: Record<string, string>, flags: string[] = []): readonly string[] => {
  try {
    readConfig(env, flags);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  return [];
};

test('readConfig: nothing set gives the documented defaults', () => {
  const config = readConfig({}, []);
  assert.equal(config.port, 4400);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.kind, 'sandbox');
  assert.equal(config.brand, 'Platform');
  assert.equal(config.profile, 'demo');
  assert.deepEqual(config.processor, { kind: 'simulator' });
  assert.equal(config.tokenLifetimeSeconds, 86_400);
  assert.deepEqual(config.rateLimits, {
    perSecond: 20,
    perQuarterHour: 10_000,
    ofOperations: { 'menus.get': 1, 'orders.listBulk': 5 },
  });
  assert.equal(config.paymentAmountShape, 'number');
  assert.equal(config.paymentRepeat, 'replay');
  assert.equal(config.stockZeroQuantity, 'reject');
  assert.equal(config.connectedRestaurantsShape, 'object');
  assert.equal(config.groupList, 'all');
});

test('readConfig: a flag wins over its variable, in both of its forms', () => {
  const env = { SERVERY_PORT: '1', SERVERY_BRAND: '' };
  assert.equal(readConfig(env, ['--port', '2']).port, 2);
  assert.equal(readConfig(env, ['--port=3']).port, 3);
  assert.equal(readConfig(env, []).brand, 'Platform');
  assert.deepEqual(readConfig({}, ['--tls-dev', '--tls-port', '0']).tls, {
    host: '127.0.0.1',
    port: 0,
    selfSigned: true,
  });
});

test('readConfig: every fault is told at once, with where it was said', () => {
  const faults = faultsOf(
    { SERVERY_PORT: '70000', SERVERY_BRAND: '9x', DATABASE_URL: 'mysql://u:geheim@h/d' },
    ['--kind', 'prod', '--prot', '1', '--host'],
  );
  const text = faults.join('\n');
  assert.match(text, /SERVERY_PORT must be a whole number from 0 to 65535 \(it is "70000"\)/);
  assert.match(text, /SERVERY_BRAND must be a letter/);
  assert.match(text, /DATABASE_URL must be a PostgreSQL URL, for example postgres:\/\//);
  assert.match(text, /--kind must be "sandbox" or "production"/);
  assert.match(text, /--prot is not known/);
  assert.equal(faults.filter((fault) => fault.includes('"1"')).length, 0, 'told with its flag');
  assert.match(text, /--host needs a value/);
  assert.doesNotMatch(text, /geheim/);
});

test('readConfig: a variable of ours that is no setting is a fault, with the one meant', () => {
  for (const [name, meant] of [
    ['SERVERY_VELOCITY_LIMTS', 'SERVERY_VELOCITY_LIMITS'],
    ['SERVERY_TRUSTED_PROXY', 'SERVERY_TRUSTED_PROXIES'],
    ['SERVERY_PROT', 'SERVERY_PORT'],
    ['SERVERY_DATABASE_URL', 'DATABASE_URL'],
    ['SERVERY_CLIENTID', 'SERVERY_CLIENT_ID'],
    ['SERVERY_port', 'SERVERY_PORT'],
    ['SERVERY_FRIDGE_TEMPERATURE', null],
  ] as const) {
    const [fault = '', ...more] = faultsOf({ [name]: 'geheim' });
    assert.deepEqual(more, [], name);
    assert.equal(
      fault,
      `${name} is not a setting: ${meant ? `is ${meant} meant?` : 'remove it'} ` +
        '(docs/reference/settings.md lists them all).',
    );
  }
});

test('readConfig: variables of the command, of suites and of an orchestrator are no fault', () => {
  const names = [
    ...['SERVERY_URL', 'SERVERY_CLIENT_ID', 'SERVERY_CLIENT_SECRET'],
    ...['SERVERY_SERVICE_HOST', 'SERVERY_SERVICE_PORT', 'SERVERY_SERVICE_PORT_HTTP'],
    ...['SERVERY_PORT_4400_TCP', 'SERVERY_PORT_4400_TCP_ADDR', 'SERVERYSIDE', 'PORT'],
    ...['SERVERY_TEST_DATABASE_URL', 'SERVERY_DEMO'],
  ];
  assert.deepEqual(faultsOf(Object.fromEntries(names.map((name) => [name, 'x']))), []);
  assert.deepEqual(faultsOf({ SERVERY_PROT: '' }), [], 'an empty variable counts as absent');
});

test('readConfig CFG-4: a brand differs from the destinations of service charges', () => {
  for (const brand of ['Server', 'RESTAURANT', 'restaurant']) {
    assert.match(
      faultsOf({ SERVERY_BRAND: brand }).join(),
      /must not be one of RESTAURANT, SERVER/,
    );
  }
  assert.equal(readConfig({ SERVERY_BRAND: 'Servers' }, []).brand, 'Servers');
});

test('readConfig: a word that npm left over of a flag is told with the way to write it', () => {
  assert.match(faultsOf({}, ['4405']).join(), /"4405" belongs to no flag.*npm start -- --port/);
  assert.match(faultsOf({ SERVERY_HOST: 'a b' }).join(), /SERVERY_HOST must be an address/);
});

test('readConfig: proxies are addresses and networks, and nothing else', () => {
  const given = { SERVERY_TRUSTED_PROXIES: '10.0.0.0/8, ::1' };
  assert.deepEqual(readConfig(given, []).trustedProxies, ['10.0.0.0/8', '::1']);
  assert.match(
    faultsOf({ SERVERY_TRUSTED_PROXIES: 'foo' }).join(),
    /must be addresses or networks/,
  );
});

test('readConfig: TLS wants both files, or the development certificate alone', () => {
  assert.match(faultsOf({ SERVERY_TLS_CERT: 'a.pem' }).join(), /without SERVERY_TLS_KEY/);
  assert.match(faultsOf({ SERVERY_TLS_KEY: 'a.pem' }).join(), /without SERVERY_TLS_CERT/);
  const both = { SERVERY_TLS_CERT: 'a.pem', SERVERY_TLS_KEY: 'b.pem' };
  assert.deepEqual(faultsOf(both), []);
  assert.match(faultsOf(both, ['--tls-dev']).join(), /creates its own certificate/);
});

test('readConfig: a setting without the one that it needs is a fault that names both', () => {
  const tls = { SERVERY_TLS_PORT: '4443', SERVERY_TLS_HOST: '0.0.0.0' };
  const [port, host, ...more] = faultsOf(tls);
  assert.match(
    port ?? '',
    /^SERVERY_TLS_PORT has no effect without SERVERY_TLS_CERT .*_TLS_DEV=yes/,
  );
  assert.match(host ?? '', /^SERVERY_TLS_HOST has no effect without SERVERY_TLS_CERT/);
  assert.deepEqual(more, []);
  assert.equal(faultsOf({ ...tls, SERVERY_TLS_DEV: 'no' }).length, 2);
  assert.doesNotMatch(faultsOf({ ...production, ...tls }).join(), /TLS_DEV/);
  for (const [name, value, needed] of [
    ['SERVERY_VELOCITY_PER_CARD', '5/1h', { SERVERY_VELOCITY_LIMITS: 'on' }],
    ['SERVERY_VELOCITY_PER_CLIENT', '5/1h', production],
    ['SERVERY_REPLICA_URL', 'postgres:///d', { DATABASE_URL: 'postgres:///d' }],
    ['SERVERY_ALLOW_PLAIN_HTTP', 'yes', production],
    ['SERVERY_TRACE_PERCENT', '5', { SERVERY_TRACE_URL: 'http://127.0.0.1:4318/v1/traces' }],
  ] as const) {
    assert.match(faultsOf({ [name]: value }).join(), new RegExp(`^${name} has no effect without`));
    assert.deepEqual(faultsOf({ [name]: value, ...needed }), []);
  }
  const off = { SERVERY_VELOCITY_LIMITS: 'off', SERVERY_VELOCITY_PER_CARD: '5/1h' };
  assert.deepEqual(faultsOf(off), [], 'what is turned off in so many words keeps its numbers');
  assert.deepEqual(faultsOf({ SERVERY_VELOCITY_PER_CARD: 'off' }), []);
});

test('readConfig: production refuses default secrets, demo data and plain http in public', () => {
  assert.match(faultsOf({ SERVERY_KIND: 'production' }).join(), /SERVERY_MASTER_KEY is missing/);
  assert.deepEqual(faultsOf(production), []);
  assert.match(faultsOf({ ...production, SERVERY_HOST: '0.0.0.0' }).join(), /plain http/);
  assert.deepEqual(
    faultsOf({ ...production, SERVERY_HOST: '0.0.0.0', SERVERY_ALLOW_PLAIN_HTTP: 'yes' }),
    [],
  );
  assert.match(faultsOf({ SERVERY_KIND: 'production' }).join(), /SERVERY_PUBLIC_URL is missing/);
  const plain = { ...production, SERVERY_PUBLIC_URL: 'http://platform.example' };
  assert.match(faultsOf(plain).join(), /tokens in clear/);
  assert.deepEqual(faultsOf({ ...plain, SERVERY_ALLOW_PLAIN_HTTP: 'yes' }), []);
  for (const url of [
    'postgres://u@db.internal/d',
    'postgres://u@10.1.2.3:5432/d',
    'postgres://u@127.0.0.1:5432,10.1.2.3:5433/d',
  ]) {
    assert.match(faultsOf({ ...production, DATABASE_URL: url }).join(), /without sslmode/);
    const replica = { DATABASE_URL: 'postgres:///d', SERVERY_REPLICA_URL: url };
    const [fault = ''] = faultsOf({ ...production, ...replica });
    assert.match(fault, /^SERVERY_REPLICA_URL leads .* without sslmode/);
  }
  for (const url of ['postgres://u@[::1]/d', 'postgres:///d?host=/run/postgresql']) {
    assert.deepEqual(faultsOf({ ...production, DATABASE_URL: url }), []);
  }
  const config = readConfig(production, []);
  assert.equal(config.profile, 'none');
  assert.deepEqual(config.processor, { kind: 'none' });
});

test('readConfig: production refuses what only sandboxes have, and takes what it always has', () => {
  for (const [name, refused, taken] of [
    ['SERVERY_PROFILE', 'demo', 'none'],
    ['SERVERY_SANDBOXES', '5', '0'],
    ['SERVERY_ORDERS_KITCHEN', 'simulated', 'staff'],
    ['SERVERY_TLS_DEV', 'yes', 'no'],
    ['SERVERY_WEBHOOK_LOOPBACK', 'yes', 'no'],
  ] as const) {
    const [fault = '', ...more] = faultsOf({ ...production, [name]: refused });
    assert.match(fault, new RegExp(`^${name} is for sandboxes: .*[.] Leave it out[.]$`));
    assert.deepEqual(more, []);
    assert.deepEqual(faultsOf({ ...production, [name]: taken }), []);
    assert.deepEqual(faultsOf({ [name]: refused }), []);
  }
});

test('readConfig: an address of a processor chooses http, and brings its secret', () => {
  const url = 'https://acquirer.example/v1';
  const { processor } = readConfig({ SERVERY_PROCESSOR_URL: `${url}/` }, []);
  assert.deepEqual(processor, { kind: 'http', url, secret: null });
  const flags = ['--processor-url', url, '--processor-secret', 'geheim'];
  const config = readConfig(production, flags);
  assert.equal(config.processor.kind === 'http' && config.processor.secret?.reveal(), 'geheim');
  assert.doesNotMatch(inspect(config, { depth: 9 }), /geheim/);
  assert.deepEqual(readConfig({ SERVERY_PROCESSOR: 'in-process' }, []).processor, {
    kind: 'in-process',
  });
});

test('readConfig: what contradicts itself about the processor is told', () => {
  assert.match(faultsOf({ SERVERY_PROCESSOR: 'http' }).join(), /needs SERVERY_PROCESSOR_URL/);
  const url = { SERVERY_PROCESSOR_URL: 'http://127.0.0.1:1' };
  for (const kind of ['none', 'simulator', 'in-process']) {
    assert.match(faultsOf({ ...url, SERVERY_PROCESSOR: kind }).join(), /are for SERVERY_PROCESSOR/);
  }
  assert.match(faultsOf({ SERVERY_PROCESSOR_SECRET: 'x' }).join(), /are for SERVERY_PROCESSOR/);
});

test('readConfig: production takes a processor on this machine or behind https', () => {
  const at = (url: string) => faultsOf({ ...production, SERVERY_PROCESSOR_URL: url }).join();
  for (const url of ['http://localhost:1', 'http://[::1]:1/a', 'https://acquirer.example']) {
    assert.equal(at(url), '');
  }
  for (const url of ['http://acquirer.example', 'http://10.0.0.1', 'http://127.0.0.1.example']) {
    assert.match(at(url), /cards in clear/, url);
  }
  assert.deepEqual(faultsOf({ SERVERY_PROCESSOR_URL: 'http://acquirer.example' }), []);
  for (const kind of ['simulator', 'in-process']) {
    assert.match(faultsOf({ ...production, SERVERY_PROCESSOR: kind }).join(), /for sandboxes/);
  }
});

test('readConfig: velocity limits are on in production, off in a sandbox, each can be off', () => {
  assert.equal(readConfig({}, []).velocityLimits, null);
  assert.equal(readConfig(production, ['--velocity-limits', 'off']).velocityLimits, null);
  const on = readConfig({ SERVERY_VELOCITY_LIMITS: 'on' }, []).velocityLimits;
  assert.deepEqual(readConfig(production, []).velocityLimits, on);
  assert.deepEqual(on?.card, { count: 20, durationMs: 3_600_000, text: '20/1h' });
  const names = ['card', 'guest', 'address', 'bin', 'restaurant', 'client'] as const;
  const off = names.map((name) => `--velocity-per-${name}=off`);
  const left = readConfig(production, off.slice(1)).velocityLimits;
  assert.deepEqual(
    names.map((name) => left?.[name]?.text ?? null),
    ['20/1h', null, null, null, null, null],
  );
  assert.equal(readConfig(production, off).velocityLimits, null, 'nothing is left to be counted');
  assert.match(faultsOf({ SERVERY_VELOCITY_PER_CARD: '5' }).join(), /for example 20\/10m/);
  assert.match(faultsOf({ SERVERY_GUEST_RETENTION_DAYS: '0' }).join(), /from 1 to 3650/);
});

test('readConfig: webhooks reach this machine from a sandbox, and never from production', () => {
  assert.equal(readConfig({}, []).webhookLoopback, true);
  const inReach = [
    { SERVERY_HOST: '0.0.0.0' },
    { SERVERY_TLS_HOST: '192.0.2.1', SERVERY_TLS_DEV: 'yes' },
    { SERVERY_PUBLIC_URL: 'https://sandbox.example.com' },
  ];
  for (const env of inReach) {
    assert.equal(readConfig(env, []).webhookLoopback, false, JSON.stringify(env));
    const told = { ...env, SERVERY_WEBHOOK_LOOPBACK: 'yes' };
    assert.equal(readConfig(told, []).webhookLoopback, true);
  }
  const own = { SERVERY_PUBLIC_URL: 'http://localhost:4400' };
  assert.equal(readConfig(own, []).webhookLoopback, true);
  const blocked = { SERVERY_WEBHOOK_BLOCKED_NETWORKS: '2a02:db8::/96, 93.184.216.34' };
  const networks = ['2a02:db8::/96', '93.184.216.34'];
  assert.deepEqual(readConfig(blocked, []).webhookBlockedNetworks, networks);
  assert.equal(readConfig({ SERVERY_WEBHOOK_LOOPBACK: 'no' }, []).webhookLoopback, false);
  assert.equal(readConfig(production, []).webhookLoopback, false);
  assert.equal(readConfig({ ...production, SERVERY_EVENT_DAYS: '7' }, []).eventDays, 7);
});

test('readConfig: a database may be a cluster of hosts, each with its port', () => {
  const url = 'postgres://u:geheim@one:5432,two:5433/d?target_session_attrs=read-write';
  assert.equal(readConfig({ DATABASE_URL: url }, []).databaseUrl?.reveal(), url);
  const wrong = faultsOf({ DATABASE_URL: 'postgres://u:geheim@one:5432,two:99999/d' }).join();
  assert.match(wrong, /DATABASE_URL cannot be used: .* the port "99999"/);
  assert.doesNotMatch(wrong, /geheim/);
});

test('readConfig: secrets do not show when the configuration is printed', () => {
  const databaseUrl = 'postgres://u:geheim@h/d?sslmode=verify-full';
  const config = readConfig({ ...production, DATABASE_URL: databaseUrl }, []);
  const shown = inspect(config, { depth: 9 }) + JSON.stringify(config);
  assert.doesNotMatch(shown, /geheim/);
  assert.ok(!shown.includes(MASTER_KEY));
});

test('readConfig: a number of workers, or one for each processor; nonsense is refused', () => {
  assert.equal(readConfig({}, []).workers, 1);
  assert.equal(readConfig({ SERVERY_WORKERS: '4' }, []).workers, 4);
  assert.equal(readConfig({}, ['--workers', 'auto']).workers, availableParallelism());
  for (const nonsense of ['0', '-1', '1.5', '65', '1e1', 'many']) {
    assert.deepEqual(faultsOf({ SERVERY_WORKERS: nonsense }), [
      `SERVERY_WORKERS must be a whole number from 1 to 64, or "auto" (it is "${nonsense}").`,
    ]);
  }
  const alone = { SERVERY_WORKERS: '2', SERVERY_PROCESSOR: 'in-process' };
  assert.match(faultsOf(alone).join(), /each worker would know only the payments that it made/);
});
