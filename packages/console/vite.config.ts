import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import preact from '@preact/preset-vite';
import { defineConfig, type Plugin } from 'vite';
import { formFields } from './src/screens/menus/form-fields.ts';

const OUT = fileURLToPath(new URL('./dist/', import.meta.url));
const COMPRESSIBLE = /\.(js|css|svg)$/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server says at each depth where the assets are, so that any path prefix works.
  base: './',
  logLevel: 'warn',
  define: { FORM_FIELDS: JSON.stringify(formFields()) },
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), compressed()],
  build: {
    outDir: OUT,
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
    },
    emptyOutDir: true,
    target: 'es2024',
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

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
