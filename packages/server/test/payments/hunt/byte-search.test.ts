import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { cardNumberOf } from '../card-number.ts';
import { ByteSearch } from './byte-search.ts';

const cardNumber = cardNumberOf('400000');
const amex = cardNumberOf('378282', undefined, 15);
const search = new ByteSearch();
search.addCardNumber(cardNumber);
search.addCardNumber(amex);
search.addText('Kanarienvogel');

/** In the middle of other bytes, at an odd place. */
const hidden = (bytes: Buffer | string) =>
  Buffer.concat([randomBytes(4_097), Buffer.from(bytes), randomBytes(513)]);

test('ByteSearch PAY-I7: it finds what is hidden in each of its encodings', () => {
  const inJson = Buffer.from(JSON.stringify({ a: 1, cardNumber, b: 'x' }));
  const double = Buffer.alloc(8);
  double.writeDoubleBE(Number(cardNumber));
  const hiding: Record<string, Buffer | string> = {
    text: inJson,
    groups: cardNumber.replaceAll(/(\d{4})(?=\d)/g, '$1 '),
    dashes: cardNumber.replaceAll(/(\d{4})(?=\d)/g, '$1-'),
    amex: `${amex.slice(0, 4)} ${amex.slice(4, 10)} ${amex.slice(10)}`,
    base64: inJson.toString('base64'),
    base64At1: Buffer.from(`x${inJson}`).toString('base64'),
    base64At2: Buffer.from(`xy${inJson}`).toString('base64url'),
    hexadecimal: inJson.toString('hex'),
    capitals: Buffer.from('Kanarienvogel').toString('hex').toUpperCase(),
    utf16: Buffer.from(cardNumber, 'utf16le'),
    utf16BigEndian: Buffer.from(cardNumber, 'utf16le').swap16(),
    utf16InBase64: Buffer.from(inJson.toString(), 'utf16le').toString('base64'),
    packed: Buffer.from(cardNumber, 'hex'),
    double,
  };
  for (const [name, bytes] of Object.entries(hiding)) {
    assert.notDeepEqual(search.findIn(hidden(bytes)), [], name);
  }
});

test('ByteSearch PAY-I7: it finds parts of encrypted card data, as text and as bytes', () => {
  const envelope = ['aGVhZA', '', 'AAAA', randomBytes(90).toString('base64url'), 'BBBB'].join('.');
  const byEnvelope = new ByteSearch();
  byEnvelope.addEnvelope(envelope);
  const cipherText = envelope.split('.')[3] ?? '';
  assert.notDeepEqual(byEnvelope.findIn(hidden(cipherText)), []);
  assert.notDeepEqual(byEnvelope.findIn(hidden(Buffer.from(cipherText, 'base64url'))), []);
  assert.notDeepEqual(
    byEnvelope.findIn(hidden(Buffer.from(cipherText, 'base64').toString('hex'))),
    [],
  );
  const rsa = randomBytes(256).toString('base64');
  byEnvelope.addEnvelope(rsa);
  assert.notDeepEqual(byEnvelope.findIn(hidden(rsa)), []);
});

test('ByteSearch PAY-I7: it finds nothing where nothing is', () => {
  const shown = `${cardNumber.slice(0, 6)} ${cardNumber.slice(-4)} ${cardNumberOf('400000')}`;
  assert.deepEqual(search.findIn(hidden(shown)), []);
  assert.deepEqual(search.findIn(randomBytes(4_000_000)), []);
});
