import type { Verdict } from '@servery/webhooks';
import { type AnyCommand, type Call, command, type Values } from '../command.ts';
import { endsWith, invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
import { millisecondsOf } from '../readers.ts';
import type { Shown } from '../shown.ts';
import { printable } from '../terminal.ts';
import { required, text } from '../values.ts';
import { readWebhookSecrets, secretsIn } from '../webhook-secrets.ts';

const options = {
  headers: required(
    text('<file>', 'headers as received, as "Name: value" lines or JSON; - for standard input'),
  ),
  body: required(text('<file>', 'body, byte for byte as received; - for standard input')),
  secretFile: text('<file>', 'one secret, or two in rotation (SERVERY_WEBHOOK_SECRET)'),
  tolerance: text('<duration>', 'how old an attempt may be (default: 5m)'),
};

type Headers = Readonly<Record<string, string>>;

interface Checked {
  readonly signature: string;
  readonly verdict: Verdict;
}

const STANDARD = 'webhook-signature';
const BRANDED = /^(.+)-signature$/;
const MS_PER_SECOND = 1_000;

/** `servery webhooks verify`, which needs no platform. */
export const verify: AnyCommand = command({
  name: 'verify',
  summary: 'Check the signatures of a webhook that you received, and say what is wrong',
  examples: ['servery webhooks verify --headers headers.txt --body body.json --secret-file secret'],
  on: 'nothing',
  options,
  run: async (call) => {
    const { headers: headerFile, body: bodyFile, tolerance } = call.options;
    if (headerFile === '-' && bodyFile === '-') {
      throw invalidUsage(
        'standard input can be the headers or the body, not both. Use a file for one of them.',
      );
    }
    const { verify: verifyStandard, verifyBranded } = await import('@servery/webhooks');
    const secrets = await secretsOf(call);
    const headers = headersOf((await readBytes(headerFile)).toString());
    const received = { headers, body: await readBytes(bodyFile), secrets };
    const toleranceSeconds =
      tolerance && Math.round(millisecondsOf(tolerance, '--tolerance ') / MS_PER_SECOND);
    const brand = brandOf(headers);
    const given = {
      ...(toleranceSeconds && { toleranceSeconds }),
      ...(brand !== null && { brand }),
    };
    const checked: Checked[] = [{ signature: STANDARD, verdict: verifyStandard(received, given) }];
    // Its timestamp is of the event, not of the attempt: only the bytes are checked.
    if (brand !== null) {
      const verdict = verifyBranded(received, { brand });
      checked.push({ signature: `${brand}-signature`, verdict });
    }
    return checkedShown(checked);
  },
});

function checkedShown(checked: readonly Checked[]): Shown {
  const isValid = checked.every(({ verdict }) => verdict.isValid);
  return {
    json: { isValid, checked },
    text: () => checked.map((one) => `${printable(lineOf(one))}\n`).join(''),
    ...(isValid ? {} : { failure: endsWith('failed') }),
  };
}

function lineOf({ signature, verdict }: Checked): string {
  if (!verdict.isValid) return `${signature}: ${verdict.reason}. ${verdict.explanation}`;
  return `${signature}: valid, by secret ${verdict.secretIndex + 1}`;
}

async function secretsOf({ env, options: { secretFile } }: Call<Values, typeof options>) {
  const secrets = secretFile
    ? readWebhookSecrets((await readBytes(secretFile)).toString(), `the file ${secretFile}`)
    : secretsIn(env);
  if (secrets.length > 0) return secrets;
  throw invalidUsage(
    'which secret? Set SERVERY_WEBHOOK_SECRET, or name a file with --secret-file. There is no ' +
      'option for the secret itself, because process lists show options.',
  );
}

/** Headers as a JSON object, or as on the wire; lines that are no header are ignored. */
function headersOf(written: string): Headers {
  const json = jsonOf(written);
  const pairs: (readonly [string, string])[] = json
    ? Object.entries(json).map(([name, value]) => [name, String(value)])
    : written.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = /^[<>\s]*([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value] as const];
      });
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function jsonOf(written: string): object | null {
  try {
    const value = JSON.parse(written);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function brandOf(headers: Headers): string | null {
  const name = Object.keys(headers).find((one) => one !== STANDARD && BRANDED.test(one));
  return name?.replace(BRANDED, '$1') ?? null;
}
