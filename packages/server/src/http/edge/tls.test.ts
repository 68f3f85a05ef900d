import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { developmentCertificate, readCertificate } from './tls.ts';

const realClock = { nowMs: () => 1_800_000_000_000 };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-tls-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test('start: rubbish in a PEM setting is told by setting, fault and what to do', async () => {
  const one = await developmentCertificate(join(folder, 'one'), realClock);
  const other = await developmentCertificate(join(folder, 'other'), realClock);
  const cert = await put('cert', one.cert);
  const key = await put('key', one.key);
  const rubbish = await put('rubbish', 'rubbish\n');
  const rest = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const torn = await put('torn', `${one.cert.trim()}\n${rest}`);
  const locked = await put('locked', '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n');
  const cases: [string, string, RegExp][] = [
    [rubbish, key, /SERVERY_TLS_CERT names .*rubbish, which holds no certificate .* must begin/],
    [cert, rubbish, /SERVERY_TLS_KEY names .*rubbish, which holds no private key .* must begin/],
    [key, cert, /SERVERY_TLS_CERT names .*key, which holds no certificate/],
    [cert, locked, /SERVERY_TLS_KEY names .*locked, which is locked with a passphrase: give/],
    [cert, await put('otherKey', other.key), /SERVERY_TLS_KEY names .* is not the key of the cert/],
    [torn, key, /SERVERY_TLS_CERT names .*torn, which cannot serve: .* Get the whole chain/],
    [join(folder, 'nowhere'), key, /SERVERY_TLS_CERT names .*nowhere, which cannot be read/],
  ];
  for (const [certFile, keyFile, told] of cases) {
    await assert.rejects(readCertificate(certFile, keyFile), told);
  }
  assert.deepEqual(await readCertificate(cert, key), one);
});
