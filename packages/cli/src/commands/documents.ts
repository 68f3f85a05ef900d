import { type GroupContents, type ImportResult, InvalidGroupDocument, load } from '@servery/server';
import { invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
import { toTarget } from '../output-file.ts';
import {
  configOf,
  type LocalCall,
  requireDatabase,
  withDatabase,
  withPlatform,
} from '../platform.ts';
import { type Shown, said } from '../shown.ts';
import { withProgress } from '../terminal.ts';

const {
  UnclearGroup,
  checkGroupDocument,
  exportGroup,
  importGroup,
  profileContents,
  writeCanonical,
} = await load.documents();

type Profile = Parameters<typeof profileContents>[0];

/** A huge document, or a wait for another import, may take long. */
const IMPORT_LIMITS = { statementTimeoutMs: 0 };

/** Throws InvalidGroupDocument, or ImportRefused. */
export async function importDocument(
  call: LocalCall,
  file: string,
  { check, replace = false }: Readonly<Record<'check' | 'replace', boolean | undefined>>,
): Promise<Shown> {
  const contents = checked(call, await readBytes(file));
  if (check) {
    const name = file === '-' ? 'Standard input' : file;
    return said({ valid: true }, `${name} is a valid group document.`);
  }
  const { signal } = call;
  const result = await withPlatform(configOf(call), call, IMPORT_LIMITS, (platform) =>
    withProgress(call.terminal, 'importing', (onProgress) =>
      importGroup(platform, contents, { replace, onProgress, signal }),
    ),
  );
  return said(result, summary(result, contents.group.name));
}

/** Programs get the errors as JSON too; people read them on standard error. */
function checked({ flags, terminal }: LocalCall, source: Uint8Array): GroupContents {
  try {
    return checkGroupDocument(source);
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

/** A slow reader of the output holds the one snapshot of the export open. */
const EXPORT_LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

/** Exports the canonical document of a group, as of one instant. Throws CommandFailure. */
export async function exportDocument(
  call: LocalCall,
  { group, out }: Readonly<Record<'group' | 'out', string | undefined>>,
): Promise<null> {
  const config = configOf(call);
  await requireDatabase(config);
  await withDatabase(config, call, EXPORT_LIMITS, (database) =>
    toTarget(out, call, (write) => exportGroup(database, group ?? null, write)),
  ).catch((error: unknown) => {
    throw error instanceof UnclearGroup ? invalidUsage(error.message) : error;
  });
  return null;
}

export async function generateDocument(
  call: LocalCall,
  profile: string,
  out: string | undefined,
): Promise<null> {
  const { restaurants, ...head } = profileContents(profile as Profile);
  await toTarget(out, call, (write) => writeCanonical(head, restaurants, write));
  return null;
}
