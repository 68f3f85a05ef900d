import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import preact from '@preact/preset-vite';
import { defineConfig, type Plugin } from 'vite';
import { formFields } from './src/screens/menus/form-fields.ts';

const OUT = fileURLToPath(new URL('./dist/', import.meta.url));
const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
const OPERATIONS = /\/client\/src\/(office-)?operations\.ts$/;
const COMPRESSIBLE = /\.(js|css|svg)$/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server says at each depth where the assets are, so that any path prefix works.
  base: './',
  logLevel: 'warn',
  define: { FORM_FIELDS: JSON.stringify(formFields()) },
  plugins: [
    preact({ devToolsEnabled: false, prefreshEnabled: false }),
    calledOperations(),
    compressed(),
  ],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2024',
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
      output: {
        // Together they compress better than in a file each: what most screens need, and screens for
        // the same people.
        codeSplitting: {
          groups: [
            { name: 'parts', test: /\/console\/src\/(parts|platform)\/|preload-helper/ },
            { name: 'partners', test: /\/screens\/(requests|webhooks)\/(?!screen\.ts)/ },
            {
              name: 'office',
              test: /\/screens\/(account|accounts|audit|connections|people)\/(?!screen\.ts)/,
            },
          ],
        },
      },
    },
  },
});

/** The client knows every operation of the platform: leaves those that the console never calls out. */
function calledOperations(): Plugin {
  let isCalled = (_id: string) => true;
  return {
    name: 'called-operations',
    enforce: 'pre',
    apply: 'build',
    buildStart() {
      const texts = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
      const named = texts.flatMap((text) => text.match(/['`]backOffice\.[^'`]+['`]/g) ?? []);
      const patterns = new Set(
        named.map((each) =>
          each
            .slice(1, -1)
            .replaceAll('.', '\\.')
            .replace(/\$\{\w+\}/g, '[\\w.]+'),
        ),
      );
      const called = new RegExp(`^(${[...patterns].join('|')})$`);
      isCalled = (id) => called.test(id);
    },
    transform(code, file) {
      if (!OPERATIONS.test(file)) return null;
      return code.replace(/^ {2}'([\w.]+)': \[[^\]]*\],\n/gm, (entry, id: string) =>
        isCalled(id) ? entry : '',
      );
    },
  };
}

/** Compresses once what is served often. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(OUT, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const bytes = readFileSync(join(OUT, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(bytes, { params }));
        const level = { [constants.ZSTD_c_compressionLevel]: 19 };
        writeFileSync(join(OUT, `${name}.zst`), zstdCompressSync(bytes, { params: level }));
        writeFileSync(join(OUT, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
