import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export type { CDPSession, Page } from 'playwright-core';

/** Where Chromium comes from: the package of npm on Linux x64, else one that is installed. */
export async function openBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const executablePath = await unpackChromium();
    // A page is one process, as people have it: the package's own flags are for functions. The
    // process for a graphics card, which is not used, would only take time.
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--headless',
      '--in-process-gpu',
    ];
    return await chromium.launch({ executablePath, args });
  }
  for (const channel of ['chrome', 'msedge']) {
    const browser = await chromium.launch({ channel }).catch(() => null);
    if (browser) return browser;
  }
  throw new Error('The tests of the console need Chrome or Edge on this system: install one.');
}

const UNPACK = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
const UNPACKED = fileURLToPath(new URL('../../../node_modules/.cache/chromium', import.meta.url));

/** The package unpacks itself into the folder for temporary files: here once, and whole or not at all. */
async function unpackChromium(): Promise<string> {
  const executable = join(UNPACKED, 'chromium');
  if (existsSync(executable)) return executable;
  const making = await mkdtemp(`${UNPACKED}-`);
  try {
    await promisify(execFile)(process.execPath, [UNPACK], { env: { TMPDIR: making } });
    await rename(making, UNPACKED);
  } catch (error) {
    await rm(making, { recursive: true });
    // Another process was faster.
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** A proxy that serves a platform below a path, as people put one in front. */
export async function openProxy(
  baseUrl: string,
  path: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(baseUrl);
  const server: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    if (!url.startsWith(path)) {
      outgoing.writeHead(404).end();
      return;
    }
    const target = { hostname, port, method, headers, path: url.slice(path.length) || '/' };
    const asked = forward(target, (answer) => {
      const cookies = answer.headers['set-cookie']?.map((cookie) =>
        cookie.replace('Path=/', `Path=${path}/`),
      );
      const own = cookies ? { 'set-cookie': cookies } : {};
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...own });
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface View {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly hasTouch?: boolean;
}

export const DESK: View = { width: 1280, height: 800 };
export const PHONE: View = { width: 360, height: 740, hasTouch: true };

/** A page and all that must not happen on it. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, violations of the policy, and requests to other places so far. */
  readonly faults: string[];
}

/** What a browser says by itself when nobody is signed in yet: the platform's own 401. */
const NOT_SIGNED_IN = /\/backoffice\/v1\/session$/;

/** Opens a page below a base address, signed in with `state` if it is given. */
export async function openPage(
  browser: Browser,
  view: View,
  state?: Awaited<ReturnType<BrowserContext['storageState']>>,
): Promise<Watched> {
  const { width, height, colorScheme = 'light', hasTouch = false } = view;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme, hasTouch, locale: 'en-US' },
    ...{ timezoneId: 'America/Chicago', reducedMotion: 'reduce' },
    ...(state && { storageState: state }),
  });
  const page = await context.newPage();
  // A stalled machine is no fault of the page.
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (NOT_SIGNED_IN.test(message.location().url)) return;
    faults.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'http:' || hostname !== '127.0.0.1') faults.push(`asked ${request.url()}`);
  });
  return { page, context, faults };
}

const checker = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that a page breaks, by the accessibility checker. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Once for each document: it is half of the work.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(await checker);
  // What a page keeps is of no interest, and many times as much.
  return (await page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))))`)) as string[];
}

/** What makes the page wider than its window, and fields and tabs that reach out of their places. */
export async function findWide(page: Page): Promise<readonly string[]> {
  const wide = (await page.evaluate(`[
    ...[...document.querySelectorAll('body :not(.middle > nav *)')].filter(
      (node) => document.documentElement.scrollWidth > innerWidth &&
        node.getBoundingClientRect().right > innerWidth),
    ...[...document.querySelectorAll('.field > *, .tabs > *')].filter(
      (node) => node.getBoundingClientRect().right >
        node.parentElement.getBoundingClientRect().right + 1),
  ].map((node) => node.outerHTML.slice(0, 80))`)) as readonly string[];
  return wide.slice(0, 5);
}
