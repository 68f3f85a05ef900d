import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { formatDatabaseUrl, parseDatabaseUrl, withDatabase } from './database-url.ts';

test('a database URL over TCP names host, port, user, password and database', () => {
  const address = parseDatabaseUrl('postgres://ann:p%40ss%3A%2F@db.example:6000/sales');
  assert.deepEqual(address.hosts, ['db.example']);
  assert.deepEqual(address.ports, [6000]);
  assert.equal(address.user, 'ann');
  assert.equal(address.password(), 'p@ss:/');
  assert.equal(address.database, 'sales');
  assert.equal(address.tls, false);
  assert.equal(address.pooler, false);
});

test('a database URL that says little means what it means to other PostgreSQL programs', () => {
  const address = parseDatabaseUrl('postgresql://ann@localhost');
  assert.deepEqual([address.hosts, address.ports], [['localhost'], [5432]]);
  assert.equal(address.database, 'ann');
});

test('a Unix socket is the percent-encoded host or the host parameter', () => {
  for (const url of [
    'postgres://ann:x@%2Frun%2Fpostgresql:5433/sales',
    'postgres://ann:x@/sales?host=/run/postgresql&port=5433',
    'postgres:///sales?host=/run/postgresql&port=5433&user=ann&password=x',
  ]) {
    const address = parseDatabaseUrl(url);
    assert.deepEqual([address.hosts, address.ports], [['/run/postgresql'], [5433]], url);
    assert.deepEqual([address.user, address.password()], ['ann', 'x'], url);
    assert.equal(address.database, 'sales', url);
  }
});

test('a cluster is a list of hosts, each with its port', () => {
  const address = parseDatabaseUrl(
    'postgres://ann@one:5001,two,[::1]:5003/sales?target_session_attrs=read-write',
  );
  assert.deepEqual(address.hosts, ['one', 'two', '::1']);
  assert.deepEqual(address.ports, [5001, 5432, 5003]);
  assert.equal(address.isWritable, true);
});

test('sslmode says whether to encrypt and whom to trust', () => {
  const tlsOf = (mode: string) => parseDatabaseUrl(`postgres://a@h/d?sslmode=${mode}`).tls;
  assert.equal(tlsOf('disable'), false);
  assert.equal(tlsOf('prefer'), 'prefer');
  assert.equal(tlsOf('require'), 'require');
  assert.deepEqual(tlsOf('verify-full'), {});
});

test('a URL that was formatted reads back the same, whatever its password is made of', () => {
  const password = 'p@ss:/?#[]%é ';
  const url = formatDatabaseUrl({
    folder: '/tmp/with space,comma',
    port: 5432,
    user: 'servery',
    password,
    database: 'servery',
  });
  const address = parseDatabaseUrl(url);
  assert.deepEqual(address.hosts, ['/tmp/with space,comma']);
  assert.equal(address.password(), password);
  assert.equal(parseDatabaseUrl(withDatabase(url, 'other')).database, 'other');
  assert.equal(parseDatabaseUrl(withDatabase(url, 'other')).password(), password);
});

test('a faulty database URL is refused by its fault, without its password', () => {
  const cases: [string, RegExp][] = [
    ['mysql://ann:hunter2@h/d', /postgres:\/\//],
    ['postgres://ann:hunter2#@h/d', /percent-encoded/],
    ['postgres://ann:hunter2%@h/d', /password .* percent-encoded/],
    ['postgres://ann:hunter2@h:port/d', /port "port"/],
    ['postgres://ann:hunter2@h:70000/d', /port "70000"/],
    ['postgres://ann:hunter2@h/d?sslmode=maybe', /sslmode=maybe/],
    ['postgres://ann:hunter2@h/d?sslcert=/nowhere', /sslcert cannot be read/],
    ['postgres://ann:hunter2@h/d?pooler=yes', /pooler=yes/],
    ['postgres://ann:hunter2@h/d?colour=red', /unknown parameter "colour"/],
  ];
  for (const [url, expected] of cases) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => {
        assert.match(error.message, expected);
        assert.doesNotMatch(inspect(error), /hunter2/);
        return true;
      },
      url,
    );
  }
});

test('DATABASE_URL: rubbish in a certificate file is told by its parameter and file', () => {
  const file = fileURLToPath(import.meta.url);
  for (const [name, what] of Object.entries({
    sslrootcert: 'certificate',
    sslcert: 'certificate',
    sslkey: 'private key',
  })) {
    const url = `postgres://a@db.example/b?sslmode=verify-full&${name}=${encodeURIComponent(file)}`;
    const told = new RegExp(`${name} names .*database-url.test.ts, which holds no ${what} in PEM`);
    assert.throws(() => parseDatabaseUrl(url), told);
  }
});
