import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@servery/support/clock.ts';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const LIFETIME_DAYS = 397;
const RENEW_DAYS = 30;

/** Throws an Error that names the setting and the file, and says what to do. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const read = (file: string, name: string) =>
    readFile(file, 'utf8').catch((cause) => {
      throw new Error(`${name} names ${file}, which cannot be read: ${cause.message}`, { cause });
    });
  const cert = await read(certFile, 'SERVERY_TLS_CERT');
  const key = await read(keyFile, 'SERVERY_TLS_KEY');
  refuseUnusable(cert, certFile, key, keyFile);
  return { cert, key };
}

function refuseUnusable(cert: string, certFile: string, key: string, keyFile: string): void {
  const parsed = attempt(
    () => new X509Certificate(cert),
    `SERVERY_TLS_CERT names ${certFile}, which holds no certificate in PEM form: it must begin ` +
      'with "-----BEGIN CERTIFICATE-----", the server’s own certificate first and then its chain.',
  );
  const hint = key.includes('ENCRYPTED')
    ? 'is locked with a passphrase: give one without, as "openssl pkey -in KEY -out NEW" writes it.'
    : 'holds no private key in PEM form: it must begin with "-----BEGIN PRIVATE KEY-----".';
  const privateKey = attempt(
    () => createPrivateKey(key),
    `SERVERY_TLS_KEY names ${keyFile}, which ${hint}`,
  );
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new Error(
      `SERVERY_TLS_KEY names ${keyFile}, which is not the key of the certificate ${certFile} of ` +
        'SERVERY_TLS_CERT: name the two files that were made together.',
    );
  }
  attempt(
    () => createSecureContext({ cert, key }),
    `SERVERY_TLS_CERT names ${certFile}, which cannot serve: a certificate of its chain is` +
      ' damaged or too weak. Get the whole chain again from its issuer.',
  );
}

function attempt<Value>(act: () => Value, message: string): Value {
  try {
    return act();
  } catch (cause) {
    throw new Error(message, { cause });
  }
}

/** Kept in the folder, so that a client trusts it only once; replaced before it expires. */
export async function developmentCertificate(
  folder: string,
  realClock: Clock,
): Promise<Certificate> {
  const certFile = join(folder, 'localhost.crt');
  const keyFile = join(folder, 'localhost.key');
  try {
    const kept = await readCertificate(certFile, keyFile);
    const endMs = Date.parse(new X509Certificate(kept.cert).validTo);
    if (endMs - realClock.nowMs() > RENEW_DAYS * DAY_MS) return kept;
  } catch {
    // There is none yet, or it is unusable: make a new one.
  }
  const made = await makeCertificate(realClock.nowMs());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(keyFile, made.key, { mode: 0o600 });
  await chmod(keyFile, 0o600);
  await writeFile(certFile, made.cert);
  return made;
}

async function makeCertificate(nowMs: number): Promise<Certificate> {
  // Loaded when needed: hundreds of modules for one certificate a year.
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + LIFETIME_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}
