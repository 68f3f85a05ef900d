import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NotStarted,
  oneOf,
  positiveNumber,
  readArguments,
  text,
  toggle,
  wholeNumber,
  wholeNumbers,
} from './command-line.ts';

const line = {
  command: 'npm run try',
  about: 'Tries what a command line may be, in more words than one row of a terminal has room for.',
  words: null,
  flags: {
    count: wholeNumber('how often', 3, 1),
    seed: wholeNumber('what is drawn', null, -Infinity),
    seconds: positiveNumber('how long, said in so many words that they do not fit in one row', 1),
    sizes: wholeNumbers('how large'),
    kind: oneOf('of which kind', ['small', 'large']),
    only: text('TEXT', 'of which name', ''),
    alone: toggle('without others'),
    share: wholeNumber(null, null),
  },
};

function notStarted(args: readonly string[], words: string | null = null): NotStarted {
  try {
    readArguments({ ...line, words }, args);
  } catch (error) {
    if (error instanceof NotStarted) return error;
    throw error;
  }
  return assert.fail(`${args.join(' ')} was taken`);
}

test('command line: what is given is read, and the rest is what it is without', () => {
  assert.deepEqual(readArguments(line, []).values, {
    ...{ count: 3, seed: null, seconds: 1, sizes: [], kind: null, only: '', alone: false },
    share: null,
  });
  const args = '--count 5 --seed -7 --seconds 0.5 --sizes 1,20 --kind large --only=a --alone';
  const { values, words, given } = readArguments({ ...line, words: 'thing' }, [
    ...args.split(' '),
    'one',
  ]);
  assert.deepEqual(values, {
    ...{ count: 5, seed: -7, seconds: 0.5, sizes: [1, 20], kind: 'large', only: 'a', alone: true },
    share: null,
  });
  assert.deepEqual(words, ['one']);
  assert.equal(given.has('share'), false);
  assert.equal(given.has('count'), true);
});

test('command line: what is wrong is told in a sentence that says where, and what to do', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['--nope', /There is no flag --nope\./],
    ['--countz 5', /There is no flag --countz\./],
    ['--toString', /There is no flag --toString\./],
    ['--count', /--count needs a value after it, as in --count N\./],
    ['--count --alone', /--count needs a value after it/],
    ['--count 0', /--count takes a whole number of 1 or more, not "0"\./],
    ['--count -5', /--count takes a whole number of 1 or more, not "-5"\./],
    ['--count 1e3', /--count takes a whole number of 1 or more, not "1e3"\./],
    ['--count 99999999999999999', /--count takes a whole number/],
    ['--seed x', /--seed takes a whole number, not "x"\./],
    ['--seconds -1', /--seconds takes a number above 0, not "-1"\./],
    ['--seconds NaN', /--seconds takes a number above 0, not "NaN"\./],
    ['--sizes 10,x', /--sizes takes whole numbers of 1 or more .* not "10,x"\./],
    ['--kind huge', /--kind takes one of small, large, not "huge"\./],
    ['--alone=yes', /--alone takes no value: leave "yes" out\./],
    ['5', /"5" belongs to no flag.*: npm run try -- --count …\./],
  ];
  for (const [args, expected] of cases) {
    const { message, exitCode } = notStarted(args.split(' '));
    assert.match(message, expected);
    assert.match(message, /^npm run try: .* \(npm run try -- --help lists the flags\.\)$/);
    assert.equal(exitCode, 2);
  }
});

test('command line: the help fits a terminal, and tells what each flag is without it', () => {
  for (const args of [['--help'], ['--nope', '-h'], ['--count', '--help']]) {
    const { message, exitCode } = notStarted(args, 'thing');
    assert.equal(exitCode, 0);
    for (const row of message.split('\n')) assert.ok(row.length <= 80, row);
    assert.match(message, /^Usage: npm run try -- \[flags\] \[thing …\]\n\nTries /);
    assert.match(message, /\n {2}--count N +how often \(3\)\n {2}--seed N +what is drawn\n/);
    assert.match(message, /\n {2}--alone +without others\n {2}--help +this$/);
    assert.doesNotMatch(message, /share/);
  }
});
