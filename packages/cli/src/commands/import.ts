import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Config } from '@servery/server/config/config.ts';
import type { GroupContents } from '@servery/server/group-document/contents.ts';
import { InvalidGroupDocument } from '@servery/server/group-document/faults.ts';
import { type ImportResult, importGroup } from '@servery/server/group-document/import.ts';
import { readGroupDocument } from '@servery/server/group-document/read-document.ts';
import { fileFailure } from '../files.ts';
import { type CommandContext, withPlatform } from '../platform.ts';
import { printable, showProgress, type Terminal } from '../terminal.ts';

/** The options of `servery import`. */
export interface ImportFlags {
  readonly replace?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** A huge document, or a wait for another import, may take longer than a request ever may. */
const TIME_LIMITS = { statementTimeoutMs: 0 };

/**
 * `servery import FILE`: checks a group document and writes it, all or nothing. `-` is standard
 * input. Throws InvalidGroupDocument, ImportRefused, or an Error for a file that cannot be read.
 */
export async function runImport(
  config: Config,
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const { terminal, signal } = context;
  const contents = checked(await readSource(file), flags, terminal);
  if (flags.check) {
    const name = file === '-' ? 'Standard input' : printable(file);
    terminal.out.write(flags.json ? '{"valid":true}\n' : `${name} is a sound group document.\n`);
    return;
  }
  const result = await withPlatform(config, context, TIME_LIMITS, async (platform) => {
    const progress = showProgress(terminal, 'importing');
    const onProgress = (done: number, total: number) => progress.update(done, total);
    try {
      const replace = flags.replace ?? false;
      return await importGroup(platform, contents, { replace, onProgress, signal });
    } finally {
      progress.stop();
    }
  });
  terminal.out.write(
    flags.json ? `${JSON.stringify(result)}\n` : printable(summary(result, contents.group.name)),
  );
}

async function readSource(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw fileFailure(file, 'read', error);
  }
}

/** Programs get the faults as JSON too; people read them from standard error. */
function checked(source: Uint8Array, flags: ImportFlags, terminal: Terminal): GroupContents {
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
    lines.push('New API accounts. Their secrets are shown only here:');
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
      'New card keys. Each account reads its public ones at GET /platform/v1/cardEncryptionKeys:',
      ...newCardKeyClients.map((clientId) => `  ${clientId}`),
    );
  }
  return `${lines.join('\n')}\n`;
}
