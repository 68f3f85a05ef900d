import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { platformUnderTest } from '../../acceptance/src/platform.ts';
import { faults } from './conform-faults/faults.ts';
import { conformTo } from './conform-faults/find-fault.ts';
import { type Fault, startFaulty } from './conform-faults/proxy.ts';

// They only read, because other files use the same platform at the same time.
const RULES = ['AUTH-5', 'CFG-10', 'PTN-2'];
const only = `\\b(${RULES.join('|')})\\b`;

const platform = await platformUnderTest();
const chosen = faults.filter(({ rule }) => RULES.includes(rule));
const faultsAtOnce: Fault = {
  name: 'three faults at once',
  rule: RULES.join(),
  onAnswer: (answered, sent) => {
    for (const { onAnswer } of chosen) onAnswer?.(answered, sent);
  },
};

const titles = (checks: Awaited<ReturnType<typeof conformTo>>['checks'], outcome: string) =>
  checks.filter((check) => check.outcome === outcome).map(({ title }) => title);

test('servery conform finds faults of a platform, and none in this one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'servery-conform-'));
  const file = path.join(folder, 'platform.json');
  await writeFile(file, JSON.stringify(platform.demo));
  const words = ['--level', 'read', '--only', only];
  const sound = await conformTo(file, platform.baseUrl, words);
  assert.deepEqual(titles(sound.checks, 'failed'), []);
  assert.ok(titles(sound.checks, 'passed').length > RULES.length);
  assert.equal(sound.code, 0);

  const faulty = await startFaulty(platform.baseUrl, faultsAtOnce);
  try {
    const expected = path.join(folder, 'expected.txt');
    const junit = path.join(folder, 'junit.xml');
    const [known = ''] = titles(sound.checks, 'passed').filter((title) => title.includes('CFG-10'));
    await writeFile(expected, `# known\n${known}\n`);
    const more = ['--junit', junit, '--expected-failures', expected];
    const found = await conformTo(file, faulty.url, [...words, ...more]);
    const failed = titles(found.checks, 'failed');
    assert.deepEqual(titles(found.checks, 'expected'), [known]);
    const all = [known, ...failed].join();
    for (const rule of RULES) assert.ok(all.includes(rule), `${rule} was not found`);
    assert.equal(found.code, 6);
    const report = await readFile(junit, 'utf8');
    assert.match(report, new RegExp(`failures="${failed.length}" errors="0" skipped="1"`));
  } finally {
    await faulty.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
