import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt } from 'jose';
import { openDirectAgreement } from './direct-agreement.ts';

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const words = '{"cardNumber":"4111111111111111"}';

async function encrypt(
  header: Partial<CompactJWEHeaderParameters> = {},
  more: (jwe: CompactEncrypt) => unknown = () => {},
): Promise<string> {
  const jwe = new CompactEncrypt(Buffer.from(words));
  more(jwe.setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...header }));
  return await jwe.encrypt(own.publicKey);
}

/** The same JWE with another header, which its tag does not cover. */
function withHeader(jwe: string, change: (header: Record<string, unknown>) => object): string {
  const [head = '', ...others] = jwe.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify(change(header))).toString('base64url');
  return [changed, ...others].join('.');
}

test('creditCards.authorize 200 PAY-1: the usual JWE is opened as jose opens it', async () => {
  for (const header of [{}, { kid: 'ECDH-ES::1' }, { typ: 'JOSE' }]) {
    const jwe = await encrypt(header);
    const opened = await openDirectAgreement(own.privateKey, jwe);
    assert.equal(Buffer.from(opened?.plaintext ?? []).toString(), words);
    assert.equal(opened?.kid, header.kid);
    const { plaintext } = await compactDecrypt(jwe, own.privateKey);
    assert.deepEqual(Buffer.from(opened?.plaintext ?? []), Buffer.from(plaintext));
  }
});

test('creditCards.authorize 200 PAY-3: an unusual JWE is left to jose', async () => {
  const nobody = Buffer.from('nobody');
  const unusual = {
    'another content encryption': await encrypt({ enc: 'A128GCM' }),
    'a wrapped content key': await encrypt({ alg: 'ECDH-ES+A256KW' }),
    'a party that is named': await encrypt({}, (jwe) =>
      jwe.setKeyManagementParameters({ apu: nobody }),
    ),
    'a member that is not known': await encrypt({ cty: 'json' }),
    'a JWE that is long': await encrypt({ kid: 'x'.repeat(4_096) }),
  };
  for (const [what, jwe] of Object.entries(unusual)) {
    assert.equal(await openDirectAgreement(own.privateKey, jwe), null, what);
    assert.equal((await compactDecrypt(jwe, own.privateKey)).plaintext.length, words.length, what);
  }
});

test('creditCards.authorize 422 PAY-5: what does not open is left to jose to refuse', async () => {
  const jwe = await encrypt();
  const [head, , nonce, ciphertext = '', tag = ''] = jwe.split('.');
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const offCurve = Buffer.alloc(32, 1).toString('base64url');
  const bad: Record<string, string> = {
    nothing: '',
    'no JWE': 'a.b.c.d.e',
    'another tag': `${head}..${nonce}.${ciphertext}.${flipped(tag)}`,
    'another ciphertext': `${head}..${nonce}.${flipped(ciphertext)}.${tag}`,
    'a short tag': `${head}..${nonce}.${ciphertext}.${tag.slice(0, 16)}`,
    'an encrypted key': `${head}.AAAA.${nonce}.${ciphertext}.${tag}`,
    'a header that was changed': withHeader(jwe, (header) => ({ ...header, kid: 'another' })),
    'a critical extension': withHeader(jwe, (header) => ({ ...header, crit: ['x'], x: 1 })),
    compression: withHeader(jwe, (header) => ({ ...header, zip: 'DEF' })),
    'a point off the curve': withHeader(jwe, ({ epk, ...header }) => ({
      ...header,
      epk: { ...(epk as object), y: offCurve },
    })),
    'another curve': withHeader(jwe, (header) => ({
      ...header,
      epk: generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
    })),
    'a private key of the sender': withHeader(jwe, (header) => ({
      ...header,
      epk: other.privateKey.export({ format: 'jwk' }),
    })),
  };
  for (const [what, text] of Object.entries(bad)) {
    assert.equal(await openDirectAgreement(own.privateKey, text), null, what);
    await assert.rejects(compactDecrypt(text, own.privateKey), what);
  }
  assert.equal(await openDirectAgreement(other.privateKey, jwe), null);
});

function flipped(base64url: string): string {
  const first = base64url.startsWith('A') ? 'B' : 'A';
  return `${first}${base64url.slice(1)}`;
}

test('creditCards.authorize 200 PAY-1: a key that WebCrypto made agrees as well', async () => {
  const pair = await webcrypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ]);
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
  const jwe = await new CompactEncrypt(Buffer.from(words))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(pair.publicKey);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  assert.ok(await openDirectAgreement(key, jwe));
});
