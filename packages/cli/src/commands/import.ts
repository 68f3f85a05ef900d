import { type GroupContents, type ImportResult, InvalidGroupDocument, load } from '@servery/server';
import { readBytes } from '../files.ts';
import { configOf, type LocalCall, withPlatform } from '../platform.ts';
import { type Shown, said } from '../shown.ts';
import { showProgress } from '../terminal.ts';

const { importGroup, readGroupDocument } = await load.documents();

/** A huge document, or a wait for another import, may take long. */
const TIME_LIMITS = { statementTimeoutMs: 0 };

interface ImportCall extends LocalCall {
  readonly args: { readonly file: string };
  readonly options: { readonly replace: boolean | undefined; readonly check: boolean | undefined };
}

/** Checks a group document and imports it. Throws InvalidGroupDocument, or ImportRefused. */
export async function importDocument(call: ImportCall): Promise<Shown> {
  const { args, options, terminal, signal } = call;
  const contents = checked(call, await readBytes(args.file));
  if (options.check) {
    const name = args.file === '-' ? 'Standard input' : args.file;
    return said({ valid: true }, `${name} is a valid group document.`);
  }
  const result = await withPlatform(configOf(call), call, TIME_LIMITS, async (platform) => {
    const progress = showProgress(terminal, 'importing');
    const onProgress = (done: number, total: number) => progress.update(done, total);
    try {
      const { replace = false } = options;
      return await importGroup(platform, contents, { replace, onProgress, signal });
    } finally {
      progress.stop();
    }
  });
  return said(result, summary(result, contents.group.name));
}

/** Programs get the errors as JSON too; people read them on standard error. */
function checked({ flags, terminal }: ImportCall, source: Uint8Array): GroupContents {
  try {
    return readGroupDocument(source);
  } catch (error) {
    if (flags.json && error instanceof InvalidGroupDocument) {
      const { faultCount, faults } = error;
      terminal.out.write(`${JSON.stringify({ valid: false, faultCount, faults })}\n`);
    }
    throw error;
  }
}

function summary(result: ImportResult, name: string): string {
  const { restaurants, objects, changedObjects, newClients, newCardKeyClients, groupGuid } = result;
  const lines = [
    `Imported ${name} (${groupGuid}):`,
    `  restaurants            ${restaurants}`,
    `  configuration objects  ${objects}, of which ${changedObjects} changed`,
  ];
  if (newClients.length > 0) {
    lines.push('New API accounts. Their secrets are shown only once:');
    for (const { name: account, clientId, clientSecret } of newClients) {
      lines.push(
        `  ${account}`,
        `    clientId      ${clientId}`,
        `    clientSecret  ${clientSecret}`,
      );
    }
  }
  if (newCardKeyClients.length > 0) {
    lines.push(
      'New card keys. Each account reads its public keys at GET /platform/v1/cardEncryptionKeys:',
      ...newCardKeyClients.map((clientId) => `  ${clientId}`),
    );
  }
  return lines.join('\n');
}
