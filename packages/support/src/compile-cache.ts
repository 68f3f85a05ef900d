import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * What the environment of a child process of ours has, so that it finds what Node.js has compiled
 * before its first module: where the cache is only named by that module, Node.js loads all that it
 * takes to strip types from it. Empty where nothing is kept.
 */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  const ofThisVersion = getCompileCacheDir();
  return ofThisVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofThisVersion) };
}
