import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedStep, base32, totpCode, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('totp: the codes of RFC 6238, appendix B', () => {
  const examples: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of examples) {
    assert.equal(totpCode(secret, Math.floor(seconds / 30)), code);
  }
});

test('totp: base32 is that of RFC 4648, and the address holds it', () => {
  assert.deepEqual(
    ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text))),
    ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'],
  );
  assert.equal(
    totpUri(Buffer.from('foobar'), 'Servery', 'ada@example.com'),
    'otpauth://totp/Servery:ada%40example.com?secret=MZXW6YTBOI&issuer=Servery',
  );
});

test('totp: a code counts once, half a minute early or late', () => {
  const nowMs = 1_111_111_111_000;
  const step = Math.floor(nowMs / 30_000);
  const at = (shift: number) => totpCode(secret, step + shift);
  assert.equal(acceptedStep(secret, at(0), { nowMs, lastStep: null }), step);
  assert.equal(
    acceptedStep(secret, ` ${at(-1).slice(0, 3)} ${at(-1).slice(3)}`, {
      ...{ nowMs, lastStep: step - 2 },
    }),
    step - 1,
  );
  assert.equal(acceptedStep(secret, at(1), { nowMs, lastStep: null }), step + 1);
  assert.equal(acceptedStep(secret, at(2), { nowMs, lastStep: null }), null);
  assert.equal(acceptedStep(secret, at(0), { nowMs, lastStep: step }), null, 'used before');
});
