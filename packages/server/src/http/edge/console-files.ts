import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Coding, chooseCoding, entityTag, matchesEntityTag } from '../pipeline/encode.ts';
import { escapedHtml, htmlPage } from './html-page.ts';
import { originForm, splitTarget } from './request-target.ts';

/** What the page is told of its environment before anybody has logged in. */
export interface ConsoleEnvironment {
  readonly isSandbox: boolean;
  readonly brand: string;
}

interface ConsoleFile {
  readonly type: string;
  readonly forms: ReadonlyMap<Coding, Buffer>;
}

interface BuiltConsole {
  readonly builtAtMs: number;
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer | string;
}

/** What set-up builds. */
export const BUILT_CONSOLE = new URL('../../../../console/dist/', import.meta.url);

const CONSOLE_PATH = /^\/console(?=[/?]|$)/;
const ENVIRONMENT = '<meta name="environment" content="" />';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ASSETS = 'assets/';
const CODINGS: Readonly<Record<string, Coding>> = { br: 'br', gz: 'gzip', zst: 'zstd' };
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const SECURITY = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the built files of the console below `/console`. They are no operations: anybody may have
 * them, and all that they show comes from the back office interface.
 */
export class ConsoleFiles {
  readonly #folder: string;
  #built: Promise<BuiltConsole | null> = Promise.resolve(null);

  constructor(folder: URL) {
    this.#folder = fileURLToPath(folder);
  }

  isFor({ url = '/' }: IncomingMessage): boolean {
    return url.includes('/console') && CONSOLE_PATH.test(originForm(url) ?? '');
  }

  async serve(
    environment: ConsoleEnvironment,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { status, headers, bytes } = await this.#answer(environment, request);
    const length = status === 304 ? {} : { 'content-length': Buffer.byteLength(bytes) };
    response.writeHead(status, { ...SECURITY, ...headers, ...length });
    response.end(request.method === 'HEAD' || status === 304 ? undefined : bytes);
  }

  async #answer(environment: ConsoleEnvironment, request: IncomingMessage): Promise<Sent> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plain(405, 'Use GET or HEAD.', { allow: 'GET, HEAD' });
    }
    const [path, search] = splitTarget(originForm(request.url ?? '') ?? '/');
    // Relative, because a proxy may serve the platform below a path.
    if (path === '/console') {
      const location = `console/${search === '' ? '' : `?${search}`}`;
      return plain(307, 'Moved.', { location, 'cache-control': 'no-cache' });
    }
    const built = await this.#read();
    if (!built) return notBuilt(environment.brand);
    const name = path.slice('/console/'.length);
    const file = built.files.get(name);
    if (file) return sendFile(request, file, name.startsWith(ASSETS) ? IMMUTABLE : 'no-cache');
    // A page of an older build asks for a script that is gone: the app's page would be no help.
    if (name.startsWith(ASSETS)) return plain(404, 'This file is not part of the console.', {});
    const bytes = Buffer.from(pageAt(built.page, name, environment));
    return sendFile(request, { type: HTML, forms: new Map([['identity', bytes]]) }, 'no-cache');
  }

  /** Null if it is not built. Sees a new build without a restart. */
  async #read(): Promise<BuiltConsole | null> {
    const page = await stat(join(this.#folder, 'index.html')).catch(() => null);
    if (!page) return null;
    const known = await this.#built;
    if (known?.builtAtMs === page.mtimeMs) return known;
    this.#built = readConsole(this.#folder, page.mtimeMs).catch(() => null);
    return await this.#built;
  }
}

const HTML = 'text/html; charset=utf-8';

async function readConsole(folder: string, builtAtMs: number): Promise<BuiltConsole> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => name.replaceAll('\\', '/'));
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const files = new Map<string, ConsoleFile>();
  for (const path of paths) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (!type) continue;
    const coded = paths.filter((other) => other.startsWith(`${path}.`));
    const forms = new Map<Coding, Buffer>([['identity', await readFile(join(folder, path))]]);
    for (const other of coded) {
      const coding = CODINGS[other.slice(path.length + 1)];
      if (coding) forms.set(coding, await readFile(join(folder, other)));
    }
    files.set(path, { type, forms });
  }
  return { builtAtMs, page, files };
}

/** Assets are relative to the page, however deep it is: the base address may have a path. */
function pageAt(page: string, name: string, { isSandbox, brand }: ConsoleEnvironment): string {
  const up = '../'.repeat(name.split('/').length - 1) || './';
  const kind = isSandbox ? 'sandbox' : 'production';
  const told = `<meta name="environment" content="${kind}" data-brand="${escapedHtml(brand)}" />`;
  return page.replaceAll('="./', `="${up}`).replace(ENVIRONMENT, told);
}

function sendFile(request: IncomingMessage, { type, forms }: ConsoleFile, caching: string): Sent {
  const plainBytes = forms.get('identity') ?? Buffer.alloc(0);
  const wanted = chooseCoding(request.headers['accept-encoding'], plainBytes.length);
  const coding = forms.has(wanted) ? wanted : 'identity';
  const bytes = forms.get(coding) ?? plainBytes;
  const etag = entityTag(bytes, coding);
  const headers = { 'cache-control': caching, vary: 'Accept-Encoding', etag };
  if (matchesEntityTag(request.headers['if-none-match'], etag)) {
    return { status: 304, headers, bytes: '' };
  }
  const encoded = coding === 'identity' ? {} : { 'content-encoding': coding };
  return { status: 200, headers: { ...headers, ...encoded, 'content-type': type }, bytes };
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>>): Sent {
  const own = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers: { ...own, ...headers }, bytes: `${text}\n` };
}

function notBuilt(brand: string): Sent {
  const title = `${escapedHtml(brand)} console`;
  const { headers, bytes } = htmlPage(
    title,
    `<h1>The console is not built</h1>
<p>Run <code>node tools/setup.mjs</code> in the repository, then reload this page. The server does not
need a restart.</p>`,
  );
  return {
    status: 503,
    headers: { ...headers, 'cache-control': 'no-store' },
    bytes: String(bytes),
  };
}
