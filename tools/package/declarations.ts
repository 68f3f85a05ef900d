import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readManifest } from './manifest.ts';
import { ROOT } from './programs.ts';

const run = promisify(execFile);
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const TYPEBOX = 'tools/package/typebox';
const CONTRACT = 'packages/contract';
const SPECIFIER = /(?<=\bfrom |\bimport\()(['"])([^'"]+)\1/g;
const FROM_CONTRACT = /import (?:type )?\{([^}]+)\} from '@servery\/contract'/g;

/**
 * Writes the declarations of a package's sources into `types/` of a folder, with those of all the
 * types that they name, but for those of packages that are installed beside it. Returns the file of
 * each source.
 */
export async function writeDeclarations(
  sources: readonly string[],
  folder: string,
  outside: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const emitted = await mkdtemp(path.join(tmpdir(), 'servery-types-'));
  try {
    await emit(CONTRACT, emitted);
    const names = await contractNames(emitted);
    const packages = new Set([CONTRACT]);
    const written = new Set<string>();
    const waiting = sources.map(withoutEnding);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (written.has(file)) continue;
      written.add(file);
      const [own] = /^packages\/[^/]+/.exec(file) ?? [];
      if (own && !packages.has(own)) await emit(own, emitted);
      if (own) packages.add(own);
      const isOwn = file === TYPEBOX;
      const text = await readFile(path.join(isOwn ? ROOT : emitted, `${file}.d.ts`), 'utf8');
      const { placed, targets } = withTargets(file, withNames(file, text, names), outside);
      waiting.push(...targets);
      const place = path.join(folder, placeOf(file));
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, placed);
    }
    return new Map(sources.map((source) => [source, placeOf(withoutEnding(source))]));
  } finally {
    await rm(emitted, { recursive: true });
  }
}

/**
 * Writes the declarations of one package. With others in the same run, the compiler may take those
 * that are named for packages that others have made, and write nothing for them.
 */
async function emit(own: string, folder: string): Promise<void> {
  const sources = Object.values(readManifest(own).exports ?? {});
  const settings = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
      ...{ outDir: folder, rootDir: ROOT },
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    },
    include: [],
    files: sources.map((file) => path.join(ROOT, own, file)),
  };
  const file = path.join(folder, 'tsconfig.json');
  await writeFile(file, JSON.stringify(settings));
  await run(process.execPath, [TSC, '-p', file]);
}

/** Where the contract declares each name: all of it would be twenty times as much. */
async function contractNames(emitted: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const file of globSync(`${CONTRACT}/src/**/*.d.ts`, { cwd: emitted })) {
    const text = await readFile(path.join(emitted, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:type|interface) (\w+)/gm)) {
      names.set(name, withoutEnding(file));
    }
  }
  return names;
}

/** Takes each name of the contract from where it is declared. */
function withNames(file: string, text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(FROM_CONTRACT, (_found, list: string) =>
    list
      .split(',')
      .map((entry) => {
        const imported = entry.trim().replace(/^type /, '');
        const [name = ''] = imported.split(' ');
        const place = names.get(name);
        if (!place) throw new Error(`${file} names ${name}, which the contract doesn’t export`);
        return `import type { ${imported} } from '/${place}'`;
      })
      .join(';\n'),
  );
}

/** Has it name other files as they lie in `types/`. */
function withTargets(
  file: string,
  text: string,
  outside: readonly string[],
): { placed: string; targets: string[] } {
  const targets: string[] = [];
  const placed = text.replaceAll(SPECIFIER, (kept, quote: string, specifier: string) => {
    const isOutside = outside.some(
      (name) => specifier === name || specifier.startsWith(`${name}/`),
    );
    if (isOutside || specifier.startsWith('node:')) return kept;
    const target = targetOf(file, specifier);
    targets.push(target);
    const relative = path.relative(path.dirname(file), `${target}.js`);
    return `${quote}${relative.startsWith('.') ? '' : './'}${relative}${quote}`;
  });
  return { placed, targets };
}

/** The file that a specifier names, without its ending, by its path in the repository. */
function targetOf(file: string, specifier: string): string {
  if (specifier === 'typebox') return TYPEBOX;
  if (specifier.startsWith('/')) return specifier.slice(1);
  if (specifier.startsWith('.')) return withoutEnding(path.join(path.dirname(file), specifier));
  const [, name, below = ''] = /^@servery\/([^/]+)(.*)$/.exec(specifier) ?? [];
  const source = name && readManifest(`packages/${name}`).exports?.[`.${below}`];
  if (!source) throw new Error(`${file} takes types from ${specifier}, which nobody has installed`);
  return withoutEnding(path.join('packages', name, source));
}

function placeOf(file: string): string {
  return `types/${file}.d.ts`;
}

function withoutEnding(file: string): string {
  return file.replace(/(\.d)?\.ts$/, '');
}
