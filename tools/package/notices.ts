import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';
import { ROOT } from './programs.ts';

const IN_PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const NOTICE = /^(licen[cs]e|copying|notice)/i;

/**
 * The licenses of all packages whose code is in these modules or in the built console. Throws an
 * Error for a package that says none.
 */
export function thirdPartyNotices(modules: readonly string[]): string {
  const bundled = modules.flatMap((file) => IN_PACKAGE.exec(file)?.[1] ?? []);
  const folders = [...new Set([...bundled, ...consolePackages()])];
  const notices = folders.map((folder) => ({ folder, manifest: manifestOf(folder) }));
  notices.sort((one, other) => (one.manifest.name < other.manifest.name ? -1 : 1));
  const parts = notices.map(({ folder, manifest: { name, version, license, author } }) => {
    const texts = readdirSync(folder)
      .filter((file) => NOTICE.test(file))
      .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
    if (!license) throw new Error(`${name} says no license in its package.json`);
    const by = typeof author === 'object' ? author.name : author;
    const instead = by ? `Copyright ${by}` : 'Its package holds no further text.';
    const text = texts.length > 0 ? texts.join('\n\n') : instead;
    return `## ${name} ${version}\n\nLicense: ${license}\n\n${text}\n`;
  });
  return `# Third-party notices\n\nThis package holds code of these packages.\n\n${parts.join('\n')}`;
}

/** What the console is built from. */
function consolePackages(): string[] {
  const found = new Map<string, string>();
  const add = (name: string, from: string) => {
    if (found.has(name) || name.startsWith('@servery/')) return;
    const folder = folderOf(name, from);
    found.set(name, folder);
    for (const below of Object.keys(manifestOf(folder).dependencies ?? {})) add(below, folder);
  };
  const { dependencies = {} } = readManifest('packages/console');
  for (const name of Object.keys(dependencies)) add(name, path.join(ROOT, 'packages/console'));
  return [...found.values()];
}

function folderOf(name: string, from: string): string {
  const places = createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? [];
  const folder = places.map((place) => path.join(place, name)).find((each) => existsSync(each));
  if (!folder) throw new Error(`${name} is not installed`);
  return folder;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
