/**
 * Writes what is published: `npm run package` makes `dist/NAME-VERSION.tgz` of each package. It
 * publishes nothing.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeLibrary } from './package/library.ts';
import { writeProduct } from './package/product.ts';
import { ROOT } from './package/programs.ts';

const run = promisify(execFile);
const OUT = path.join(ROOT, 'dist');
/** What each published package is made from, by the name of its folder and its page in it. */
const PACKAGES: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  servery: writeProduct,
  client: (folder) => writeLibrary('packages/client', folder),
  webhooks: (folder) => writeLibrary('packages/webhooks', folder),
  testing: (folder) =>
    writeLibrary('packages/testing', folder, {
      programs: ['src/keeper.ts'],
      needs: ['servery'],
    }),
};

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT);
for (const [name, write] of Object.entries(PACKAGES)) {
  const folder = path.join(OUT, name);
  await write(folder);
  await copyFile(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  const page = path.join(ROOT, 'tools/package/pages', `${name}.md`);
  await copyFile(page, path.join(folder, 'README.md'));
  await run('npm', ['pack', '--silent', '--pack-destination', OUT, folder]);
}
for (const file of (await readdir(OUT)).filter((each) => each.endsWith('.tgz'))) {
  const { size } = await stat(path.join(OUT, file));
  console.log(`dist/${file}  ${(size / 1e6).toFixed(2)} MB`);
}
