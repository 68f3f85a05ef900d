import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditEntry, AuditVerdict } from '@servery/contract';
import { load } from '@servery/server';
import { command, type Family } from '../command.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { filtersOf } from '../find/filters.ts';
import { withNames } from '../find/names.ts';
import { toTarget } from '../output-file.ts';
import { guidOf, instant, position } from '../readers.ts';
import { type Columns, type Shown, said } from '../shown.ts';
import { as, limit, naming, restaurant, text } from '../values.ts';
import { operationIds } from './requests.ts';

const columns: Columns<AuditEntry> = {
  at: 'at',
  who: 'actor',
  operation: 'operation',
  what: ({ subjectKind, subjectId }) => `${subjectKind} ${subjectId}`,
  change: changeText,
  request: 'requestId',
};

const find = filtersOf('backOffice.audit.list');

export const audit: Family = {
  name: 'audit',
  summary: 'View, export, and verify the audit log',
  examples: ['servery audit list --restaurant "The Early Wren"', 'servery audit verify'],
  commands: [
    command({
      name: 'list',
      summary: 'List who changed what, newest first',
      examples: ['servery audit list --kind alarm'],
      isDefault: true,
      options: {
        actor: naming(find.actor('actor'), 'actor', text('<who>', 'account or person: name or ID')),
        operation: {
          ...naming(
            find.operation,
            'operation',
            text('<id>', 'operation, for example stock.update'),
          ),
          completions: operationIds,
        },
        kind: as('subjectKind', text('<kind>', 'kind of what was changed, for example alarm')),
        subject: as('subjectId', text('<id>', 'ID of what was changed')),
        restaurant: restaurant(text('<restaurant>', 'name or GUID')),
        request: as(
          'requestId',
          text('<id>', 'ID of the request', guidOf('a request', 'servery requests list')),
        ),
        from: text('<instant>', 'at this time or later', instant),
        to: text('<instant>', 'before this time', instant),
        limit,
      },
      operation: 'backOffice.audit.list',
      pages: {
        columns,
        empty: 'No change matches.',
        rows: (entries, call) => withNames(call, entries, 'actor'),
      },
    }),
    command({
      name: 'export',
      summary: 'Export the whole audit log, one line of JSON for each change',
      examples: ['servery audit export --out audit.ndjson'],
      options: {
        out: as(null, text('<file>', 'a file instead of standard output')),
        after: text('<position>', 'only changes after this position', position),
      },
      run: async (call) => {
        const { out, after } = call.options;
        await toTarget(out, call, async (write) => {
          const lines = call.client.lines('backOffice.audit.export', { query: { after } });
          for await (const line of lines) await write(`${line}\n`);
        });
        return null;
      },
    }),
    command({
      name: 'verify',
      summary: 'Verify the whole audit log; exits with 1 if it is broken',
      examples: ['servery audit verify --file audit.ndjson'],
      options: {
        file: as(
          null,
          text('<file>', 'an export instead, without a platform; - for standard input'),
        ),
      },
      local: ({ options: { file } }) => (file === undefined ? null : verifyFile(file)),
      operation: 'backOffice.audit.verify',
      show: verdictShown,
    }),
  ],
};

async function verifyFile(file: string): Promise<Shown> {
  const { NoExport, verifyExport } = await load.auditExport();
  const input = file === '-' ? process.stdin : createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const verdict = await verifyExport(lines).catch((error: unknown) => {
    if (error instanceof NoExport) {
      throw invalidUsage(`${file}: ${error.message}. Use a file of "servery audit export".`);
    }
    throw fileFailure(file, 'read', error);
  });
  return verdictShown(verdict);
}

type Verdict = Pick<AuditVerdict, 'isIntact' | 'position' | 'hash' | 'firstBreak'>;

function verdictShown(verdict: Verdict): Shown {
  const { isIntact, position: last, hash, firstBreak } = verdict;
  if (isIntact) {
    const sentence = `The audit log is intact up to position ${last}, whose hash is ${hash}.`;
    return said(verdict, sentence, ['Write down the position and the hash somewhere else.']);
  }
  const failure = new CommandFailure(
    `the audit log is broken at position ${firstBreak?.position} (${firstBreak?.kind}): ` +
      `${firstBreak?.explanation}`,
    exitCodes.failure,
  );
  return { json: verdict, text: () => '', failure };
}

function changeText({ before, after }: AuditEntry): string {
  if (before === null) return 'created';
  if (after === null) return 'removed';
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name) => [name, jsonText(before[name]), jsonText(after[name])] as const)
    .filter(([, from, to]) => from !== to)
    .map(([name, from, to]) => `${name}: ${from} → ${to}`)
    .join('; ');
}

function jsonText(value: unknown): string {
  return value === null || value === undefined ? '–' : JSON.stringify(value);
}
