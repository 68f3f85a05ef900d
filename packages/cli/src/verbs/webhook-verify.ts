import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Verdict, verify, verifyBranded } from '@servery/webhooks';
import { isoDuration } from '../duration.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';
import { printable } from '../terminal.ts';
import { readWebhookSecrets } from '../webhook-secrets.ts';
import { flag, needed, type Verb, verb } from './verb.ts';

interface VerifyFlags {
  readonly headers: string;
  readonly body: string;
  readonly secretFile?: string;
  readonly tolerance?: string;
}

type Headers = Readonly<Record<string, string>>;

/** What is told of one of the two signatures. */
interface Checked {
  /** The header that holds it. */
  readonly signature: string;
  readonly verdict: Verdict;
}

const STANDARD = 'webhook-signature';
const BRANDED = /^(.+)-signature$/;

/** `servery webhooks verify`, which needs no platform. */
export const verifyVerb: Verb = verb<VerifyFlags>({
  name: 'verify',
  says: 'tell whether a webhook that came is signed right, and else why not',
  example: 'servery webhooks verify --headers headers.txt --body body.json --secret-file secret',
  flags: [
    needed('--headers <file>', 'as they came: Name: value lines, or JSON; - for standard input'),
    needed('--body <file>', 'byte for byte as it came; - for standard input'),
    flag('--secret-file <file>', 'a secret, or two in rotation (SERVERY_WEBHOOK_SECRET)'),
    flag('--tolerance <duration>', 'how old an attempt may be; 5m without it'),
  ],
  isLocal: () => true,
  local: runVerify,
  run: async () => null,
});

/** Checks both signatures of a webhook. Throws CommandFailure: exit code 6 for one not right. */
async function runVerify(
  deps: RemoteDeps,
  _words: readonly string[],
  flags: VerifyFlags & RemoteFlags,
): Promise<void> {
  if (flags.headers === '-' && flags.body === '-') {
    throw invalidUsage('standard input is either the headers or the body: name a file for one.');
  }
  const secrets = await secretsOf(deps, flags);
  const headers = headersOf((await bytesOf(flags.headers)).toString());
  const received = { headers, body: await bytesOf(flags.body), secrets };
  const tolerance = toleranceOf(flags.tolerance);
  const brand = brandOf(headers);
  const options = { ...tolerance, ...(brand === null ? {} : { brand }) };
  const checked: Checked[] = [{ signature: STANDARD, verdict: verify(received, options) }];
  // Its age is in the body and says nothing of an attempt: it is checked for the bytes alone.
  if (brand !== null) {
    const verdict = verifyBranded(received, { brand });
    checked.push({ signature: `${brand}-signature`, verdict });
  }
  const isValid = checked.every(({ verdict }) => verdict.isValid);
  if (flags.json) showJson(deps, { isValid, checked });
  else for (const one of checked) deps.terminal.out.write(`${printable(lineOf(one))}\n`);
  if (!isValid) throw new CommandFailure('', exitCodes.failed);
}

function lineOf({ signature, verdict }: Checked): string {
  if (!verdict.isValid) return `${signature}: ${verdict.reason}. ${verdict.explanation}`;
  return `${signature}: right, by secret ${verdict.secretIndex + 1}`;
}

async function secretsOf({ env }: RemoteDeps, { secretFile }: VerifyFlags): Promise<string[]> {
  const secrets = secretFile
    ? readWebhookSecrets((await bytesOf(secretFile)).toString(), `the file ${secretFile}`)
    : readWebhookSecrets(env.SERVERY_WEBHOOK_SECRET ?? '', 'SERVERY_WEBHOOK_SECRET');
  if (secrets.length > 0) return secrets;
  throw invalidUsage(
    'with which secret? Set SERVERY_WEBHOOK_SECRET, or name a file with --secret-file. There is ' +
      'no flag for it, because lists of processes show flags.',
  );
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw fileFailure(file, 'read', error);
  }
}

/** Headers as a JSON object, or as they stand on the wire; what is no header is passed over. */
function headersOf(text: string): Headers {
  const json = jsonOf(text);
  const pairs: (readonly [string, string])[] = json
    ? Object.entries(json).map(([name, value]) => [name, String(value)])
    : text.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = /^[<>\s]*([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value] as const];
      });
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function jsonOf(text: string): object | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The brand in the name of the other signature; null where that did not come. */
function brandOf(headers: Headers): string | null {
  const name = Object.keys(headers).find((one) => one !== STANDARD && BRANDED.test(one));
  return name?.replace(BRANDED, '$1') ?? null;
}

function toleranceOf(text: string | undefined): { readonly toleranceSeconds?: number } {
  if (text === undefined) return {};
  const duration = Temporal.Duration.from(isoDuration(text));
  const total = duration.total({ unit: 'seconds', relativeTo: '2026-01-01' });
  return { toleranceSeconds: Math.round(total) };
}
