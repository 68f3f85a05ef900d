import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditEntry, AuditVerdict } from '@servery/contract';
import { readGuidOf, readInstantOf, readPositionOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { toTarget } from '../output-file.ts';
import { type RemoteDeps, showJson } from '../session.ts';
import type { Column } from '../table.ts';
import { filtersOf } from './filters.ts';
import { ACTORS, namesOf } from './names.ts';
import { rows, type Shown, said } from './shown.ts';
import { type Family, flag, limitFlag, verb } from './verb.ts';

const PATH = '/backoffice/v1/audit';
const parameters = { actor: 'actor', operation: 'operation' };

interface ListFlags {
  readonly actor?: string;
  readonly operation?: string;
  readonly kind?: string;
  readonly subject?: string;
  readonly restaurant?: string;
  readonly request?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

interface VerifyFlags {
  readonly file?: string;
  readonly json?: boolean;
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'who', cell: ({ actor }) => actor, breaks: true },
  { title: 'operation', cell: ({ operation }) => operation },
  { title: 'what', cell: ({ subjectKind, subjectId }) => `${subjectKind} ${subjectId}` },
  { title: 'change', cell: changeText, breaks: true },
  { title: 'request', cell: ({ requestId }) => requestId ?? '' },
];

/** `servery audit`. */
export const audit: Family = {
  name: 'audit',
  says: 'look at the record of changes, export it, and verify it',
  examples: ['servery audit list --restaurant "The Early Wren"', 'servery audit verify'],
  verbs: [
    verb<ListFlags>({
      name: 'list',
      says: 'who changed what, before and after, newest first',
      example: 'servery audit list --kind alarm',
      isDefault: true,
      flags: [
        flag('--actor <who>', 'by an account or a person: a name or an id'),
        flag('--operation <id>', 'by an operation, such as stock.update'),
        flag('--kind <kind>', 'of a kind of thing'),
        flag('--subject <id>', 'of the thing with this id'),
        flag('--restaurant <restaurant>', 'at a restaurant: its name or GUID'),
        flag('--request <id>', 'by a request', readGuidOf('request', 'servery requests list')),
        flag('--from <instant>', 'then or later', readInstantOf('--from')),
        flag('--to <instant>', 'before', readInstantOf('--to')),
        limitFlag(),
      ],
      run: async (call) => {
        const { remote, find, flags } = call;
        const { actor, operation, kind, subject, restaurant, request, from, to, limit } = flags;
        const named = filtersOf(call, { path: PATH, parameters });
        const query = {
          ...{ from, to },
          actor: actor === undefined ? undefined : await named.actor(actor),
          operation: operation === undefined ? undefined : await named.operation(operation),
          subjectKind: kind,
          subjectId: subject,
          requestId: request,
          restaurantGuid: restaurant === undefined ? undefined : await find.restaurant(restaurant),
        };
        const page = await readPages<AuditEntry>(remote, PATH, query, limit);
        const actors = page.results.map((entry) => entry.actor);
        const nameOf = await namesOf(call, actors, ACTORS);
        const results = page.results.map((entry) => ({ ...entry, actor: nameOf(entry.actor) }));
        return { ...rows(columns, { ...page, results }, 'No change fits.'), json: page.results };
      },
    }),
    verb<{ readonly out?: string; readonly after?: string }>({
      name: 'export',
      says: 'the whole chain of changes, a line of JSON for each',
      example: 'servery audit export --out audit.ndjson',
      flags: [
        flag('--out <file>', 'a file instead of standard output'),
        flag(
          '--after <position>',
          'only what was sealed behind this position',
          readPositionOf('--after'),
        ),
      ],
      run: async ({ remote, deps, flags: { out, after } }) => {
        await toTarget(out, deps, async (write) => {
          for await (const line of remote.lines(`${PATH}/export`, { after }))
            await write(`${line}\n`);
        });
        return null;
      },
    }),
    verb<VerifyFlags>({
      name: 'verify',
      says: 'compute the whole chain anew; exit code 1 when it is broken',
      example: 'servery audit verify --file audit.ndjson',
      flags: [
        flag('--file <file>', 'an export instead, without the platform; - for standard input'),
      ],
      local: verifyFile,
      isLocal: ({ file }) => file !== undefined,
      run: async ({ remote, flags, deps }) =>
        verdictShown(deps, flags, await remote.get<AuditVerdict>(`${PATH}/verify`)),
    }),
  ],
};

async function verifyFile(
  deps: RemoteDeps,
  _words: readonly string[],
  flags: VerifyFlags,
): Promise<void> {
  const { file = '-' } = flags;
  const { NoExport, verifyExport } = await import('@servery/server/audit/verify-export.ts');
  const input = file === '-' ? process.stdin : createReadStream(file);
  const verdict = await verifyExport(linesOf(input)).catch((error: unknown) => {
    if (error instanceof NoExport) {
      throw invalidUsage(`${file}: ${error.message}. Name a file of servery audit export.`);
    }
    throw fileFailure(file, 'read', error);
  });
  const shown = verdictShown(deps, flags, verdict);
  if (flags.json) showJson(deps, shown.json);
  else shown.print(deps);
}

function linesOf(input: NodeJS.ReadableStream): AsyncIterable<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

type Verdict = Pick<AuditVerdict, 'isIntact' | 'position' | 'hash' | 'firstBreak'>;

/** Throws CommandFailure for a record that is broken. */
function verdictShown(deps: RemoteDeps, flags: VerifyFlags, verdict: Verdict): Shown {
  const { isIntact, position, hash, firstBreak } = verdict;
  if (isIntact) {
    const sentence = `The record is intact up to position ${position}; the hash there is ${hash}.`;
    return said(verdict, sentence, ['Write position and hash down elsewhere.']);
  }
  if (flags.json) showJson(deps, verdict);
  throw new CommandFailure(
    `the record is broken at position ${firstBreak?.position} (${firstBreak?.kind}): ` +
      `${firstBreak?.explanation}`,
    exitCodes.failure,
  );
}

/** The fields that differ; of what was made or removed, that. */
function changeText({ before, after }: AuditEntry): string {
  if (before === null) return 'made';
  if (after === null) return 'removed';
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name) => [name, valueText(before[name]), valueText(after[name])] as const)
    .filter(([, from, to]) => from !== to)
    .map(([name, from, to]) => `${name}: ${from} → ${to}`)
    .join('; ');
}

function valueText(value: unknown): string {
  return value === null || value === undefined ? '–' : JSON.stringify(value);
}
