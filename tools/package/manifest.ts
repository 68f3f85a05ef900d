import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './programs.ts';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Of a folder of the repository. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
}

/** What `npm run package` writes of a published package. */
export function tarballOf(name: string): string {
  const file = name.replace(/^@/, '').replace('/', '-');
  return path.join(ROOT, 'dist', `${file}-${readManifest('.').version}.tgz`);
}

/** What all published packages say of themselves; their version is one. */
export function publishedManifest(own: Manifest): Record<string, unknown> {
  const { version, license } = readManifest('.');
  const { name, description, type, engines } = own;
  // Provenance shows who built the package from what.
  const publishConfig = { access: 'public', provenance: true };
  return { name, version, description, license, type, engines, publishConfig };
}
