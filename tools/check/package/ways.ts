import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { giveTo, type Place, succeed } from './account.ts';

/** How people install the package, and then call its command. */
export interface Way {
  readonly name: string;
  install(place: Place, tarball: string): Promise<void>;
  servery(place: Place, tarball: string): readonly string[];
}

const PNPM = 'pnpm@12';
const installed = (place: Place) => [path.join(place.folder, 'node_modules/.bin/servery')];

/** Nothing may depend on an install script: newer npm run none. */
export const withoutScripts: Way = {
  name: 'npm --ignore-scripts',
  install: (place, tarball) => byNpm(place, ['install', '--ignore-scripts', tarball]),
  servery: installed,
};

export const ways: readonly Way[] = [
  {
    name: 'npm',
    install: (place, tarball) => byNpm(place, ['install', tarball]),
    servery: installed,
  },
  withoutScripts,
  {
    name: 'pnpm',
    install: (place, tarball) => {
      const store = path.join(place.account.home, 'pnpm');
      const pnpm = ['exec', '--yes', `--package=${PNPM}`, '--', 'pnpm'];
      // Without this, it fails for a script that it doesn't run.
      return byNpm(place, [...pnpm, 'add', '--ignore-scripts', `--store-dir=${store}`, tarball]);
    },
    servery: installed,
  },
  {
    name: 'npx',
    install: async () => {},
    servery: (_place, tarball) => [
      ...npm(),
      'exec',
      '--yes',
      `--package=${tarball}`,
      '--',
      'servery',
    ],
  },
];

async function byNpm(place: Place, args: readonly string[]): Promise<void> {
  const manifest = path.join(place.folder, 'package.json');
  await writeFile(manifest, '{"private": true}\n');
  await giveTo(place.account, manifest);
  await succeed(place, [...npm(), ...args]);
}

/** npm itself, as a program of the Node.js that is first on the path. */
export function npm(): string[] {
  const script = process.env.npm_execpath;
  if (!script) throw new Error('run this with npm: npm run package-check');
  return ['node', script];
}

/** Puts the newest Node.js of that major version into the folder, and gives where its program is. */
export async function installNode(place: Place, major: number): Promise<string> {
  const folder = path.join(place.folder, `node-${major}`);
  await mkdir(folder);
  // Without the install script of the package `node`, which is off in some versions of npm.
  const name = `node-${process.platform}-${process.arch}`;
  await byNpm({ ...place, folder }, ['install', `${name}@${major}`]);
  return path.join(folder, 'node_modules', name, 'bin');
}
