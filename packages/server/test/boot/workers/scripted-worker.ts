/**
 * A worker that does with each of its lives what a word of its command says: it `begins`, `refuses`
 * to, `vanishes` before it does or `dies` after it did; the last word is for all further lives. How
 * many there were stands in the file of the first argument. One that `hangs` loads for ten minutes.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { openLink } from '../../../src/boot/workers/link.ts';

const [, , file = '', ...words] = process.argv;
if (words[0] === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600_000);
const link = openLink();
await link.send({ kind: 'loaded' });
const begin = await Promise.race([link.begun, link.ended]);
if (begin) {
  appendFileSync(file, '.');
  const word = words[readFileSync(file, 'utf8').length - 1] ?? words.at(-1);
  if (word === 'vanishes') process.kill(process.pid, 'SIGKILL');
  if (word === 'refuses') await link.send({ kind: 'failed', message: 'it does not want to' });
  else {
    const greeting = begin.isFirst ? 'first' : 'other';
    await link.send({ kind: 'ready', url: String(begin.port), tlsUrl: null, greeting });
    if (word === 'dies') process.kill(process.pid, 'SIGKILL');
    await Promise.race([link.ended, link.givenUp]);
  }
}
process.exit();
