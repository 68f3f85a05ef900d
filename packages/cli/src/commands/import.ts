import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import {
  type ImportResult,
  importGroup,
} from '@servery/server/backoffice/group-document/import.ts';
import { readGroupDocument } from '@servery/server/backoffice/group-document/read-document.ts';
import type { Config } from '@servery/server/config.ts';
import { withPlatform } from '../platform.ts';
import { showProgress, type Terminal } from '../terminal.ts';

/** The options of `servery import`. */
export interface ImportFlags {
  readonly replace?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

/**
 * `servery import FILE`: checks a group document and writes it, all or nothing. `-` is standard
 * input. Throws InvalidGroupDocument, ImportRefused, or the error of a file that cannot be read.
 */
export async function runImport(
  config: Config,
  file: string,
  flags: ImportFlags,
  terminal: Terminal,
): Promise<void> {
  const contents = readGroupDocument(await (file === '-' ? buffer(process.stdin) : readFile(file)));
  if (flags.check) {
    terminal.out.write(flags.json ? '{"valid":true}\n' : `${file} is a sound group document.\n`);
    return;
  }
  const say = (line: string) => terminal.err.write(`${line}\n`);
  const result = await withPlatform(config, say, async (platform) => {
    const progress = showProgress(terminal, 'importing');
    try {
      const onProgress = (done: number, total: number) => progress.update(done, total);
      return await importGroup(platform, contents, { replace: flags.replace ?? false, onProgress });
    } finally {
      progress.stop();
    }
  });
  terminal.out.write(
    flags.json ? `${JSON.stringify(result)}\n` : summary(result, contents.group.name),
  );
}

function summary(result: ImportResult, name: string): string {
  const { restaurants, objects, changedObjects, newClients, groupGuid } = result;
  const lines = [
    `Imported ${name} (${groupGuid}):`,
    `  ${restaurants} restaurants, ${objects} configuration objects, ${changedObjects} of them changed.`,
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
  return `${lines.join('\n')}\n`;
}
