import { readFile, stat } from 'node:fs/promises';

const LOADED = /<(?:script|link)\b[^>]*(?:\/>|><\/script>|>)/g;

/**
 * Reads which files of the built console a page of the reference loads, and again after a new
 * build. Empty without a build: the pages then are plain, but complete.
 */
export function referenceAssets(folder: URL): () => Promise<string> {
  const file = new URL('reference.html', folder);
  let known = { builtAtMs: -1, assets: '' };
  return async () => {
    const built = await stat(file).catch(() => null);
    if (!built) return '';
    if (known.builtAtMs !== built.mtimeMs) {
      const page = await readFile(file, 'utf8');
      known = { builtAtMs: built.mtimeMs, assets: (page.match(LOADED) ?? []).join('\n') };
    }
    return known.assets;
  };
}
