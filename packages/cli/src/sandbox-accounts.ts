import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxDemo } from '@servery/contract';
import { type DemoFile, demoFilePath } from '@servery/server';
import type { Environment } from './command.ts';
import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';
import { writePrivate } from './files.ts';
import { didYouMean } from './find/did-you-mean.ts';
import { profileFile } from './profiles.ts';

/** The main environment, as the platform calls it. */
export const MAIN = 'main';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const FOLDER = 'sandboxes';

/** A sandbox of the platform whose main environment is at `mainUrl`. */
export interface SandboxPlace {
  readonly mainUrl: string;
  readonly name: string;
  /** The data directory of that platform; null where it is another one's. */
  readonly dataDir: string | null;
}

/** The name of a sandbox or a snapshot; throws CommandFailure for other text. */
export function sandboxName(text: string, flag = '', hint = ''): string {
  if (NAME.test(text)) return text;
  throw invalidUsage(
    `${flag}${JSON.stringify(text)} is not a name. Use 1 to 40 lowercase letters, digits, and -, ` +
      `and start with a letter.${hint}`,
  );
}

/** The address of the main environment, also from that of a sandbox beside it. */
export function mainAddress(url: string): string {
  return url.replace(/\/sandboxes\/[^/]+$/, '');
}

export function sandboxAddress(mainUrl: string, name: string): string {
  return name === MAIN ? mainUrl : `${mainUrl}/${FOLDER}/${name}`;
}

/**
 * The accounts of a sandbox: those that its own server wrote, else those that `sandbox create` kept
 * here. Null where neither is.
 */
export async function readSandboxDemo(
  env: Environment,
  place: SandboxPlace,
): Promise<DemoFile | null> {
  const files = [ownFile(place), keptFile(env, place)];
  for (const file of files) {
    const demo = file === null ? null : await readDemoAt(file);
    if (demo) return demo;
  }
  return null;
}

export async function readDemoAt(file: string): Promise<DemoFile | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoFile;
  } catch {
    return null;
  }
}

/** Keeps the accounts of a new sandbox, unless its own server did. Returns the file. */
export async function keepSandboxDemo(
  env: Environment,
  place: SandboxPlace,
  demo: SandboxDemo,
): Promise<string> {
  const own = ownFile(place);
  if (own !== null && (await readDemoAt(own)) !== null) return own;
  const file = keptFile(env, place);
  if (file === null) {
    throw new CommandFailure(
      'there is no directory for your settings. Set HOME or XDG_CONFIG_HOME.',
      exitCodes.failure,
    );
  }
  await writePrivate(file, demo);
  return file;
}

/** Forgets the accounts of a sandbox that was dropped. */
export async function forgetSandbox(env: Environment, place: SandboxPlace): Promise<void> {
  const file = keptFile(env, place);
  // It holds secrets of nothing anymore; if it stays, it does no harm.
  if (file !== null) await rm(file, { force: true }).catch(() => {});
}

/** The sandboxes whose accounts are known here. */
export function knownSandboxes(
  env: Environment,
  { mainUrl, dataDir }: Omit<SandboxPlace, 'name'>,
): readonly string[] {
  const folders = [dataDir === null ? null : path.join(dataDir, FOLDER), keptFolder(env, mainUrl)];
  const names = folders.flatMap(namesIn).map((name) => name.replace(/\.json$/, ''));
  return [...new Set(names)].filter((name) => NAME.test(name)).sort();
}

/** What to throw where nobody here knows an account of the sandbox. */
export function unknownAccounts(env: Environment, place: SandboxPlace): CommandFailure {
  const { name, mainUrl } = place;
  const known = [MAIN, ...knownSandboxes(env, place)];
  return invalidUsage(
    `the accounts of the sandbox ${name} at ${mainUrl} are not known here. Known here: ` +
      `${known.join(', ')}${didYouMean(name, known) || '.'} If it has expired or was never ` +
      `created, use "servery sandbox create ${name}". If it was created elsewhere, set ` +
      'SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET to an account of it.',
  );
}

function namesIn(folder: string | null): readonly string[] {
  try {
    return folder === null ? [] : readdirSync(folder);
  } catch {
    return [];
  }
}

function ownFile({ dataDir, name }: SandboxPlace): string | null {
  return dataDir === null ? null : demoFilePath(path.join(dataDir, FOLDER, name));
}

function keptFile(env: Environment, { mainUrl, name }: SandboxPlace): string | null {
  const folder = keptFolder(env, mainUrl);
  return folder === null ? null : path.join(folder, `${name}.json`);
}

/** Beside the profiles, by platform. */
function keptFolder(env: Environment, mainUrl: string): string | null {
  const profiles = profileFile(env);
  if (profiles === null) return null;
  return path.join(path.dirname(profiles), FOLDER, encodeURIComponent(mainUrl));
}
