import type {
  AppliedConfiguration,
  ConfigurationDocument,
  ConfigurationPlan,
  FieldChange,
  PlannedAction,
} from '@servery/contract';
import { PlatformRefusal } from '../back-office.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { toTarget } from '../output-file.ts';
import { readStructured, type Structured } from '../structured-file.ts';
import type { Column } from '../table.ts';
import { placed } from './placed.ts';
import { rows, type Shown, said } from './shown.ts';
import { type Call, flag, type Verb, verb } from './verb.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

interface ApplyFlags extends PlaceFlags {
  readonly note?: string;
  readonly expect?: string;
}

interface ExportFlags extends PlaceFlags {
  readonly out?: string;
  readonly names?: boolean;
  readonly archived?: boolean;
}

const file = { name: '<file>', says: 'a JSON or YAML document; - for standard input' };
const restaurant = flag(
  '--restaurant <restaurant>',
  'name or GUID; the one that the document names, or the first of the sandbox',
);

const columns: readonly Column<PlannedAction>[] = [
  { title: 'action', cell: ({ action }) => action.toLowerCase() },
  { title: 'collection', cell: ({ collection }) => collection },
  { title: 'object', cell: ({ name, guid }) => name ?? guid, breaks: true },
  { title: 'fields', cell: fieldNames, breaks: true },
];

interface Difference extends FieldChange {
  readonly object: string;
}

const differenceColumns: readonly Column<Difference>[] = [
  { title: 'object', cell: ({ object }) => object, breaks: true },
  { title: 'field', cell: ({ field }) => field },
  { title: 'now', cell: ({ before }) => valueText(before), breaks: true },
  { title: 'in the file', cell: ({ after }) => valueText(after), breaks: true },
];

/** Where the configuration of the restaurant that is meant stands. */
export async function configurationPath({ find, flags }: Call<PlaceFlags>): Promise<string> {
  const guid = await find.restaurantOr(flags.restaurant);
  return `/backoffice/v1/restaurants/${guid}/configuration`;
}

/** The verbs of `servery config` over files. */
export const fileVerbs: readonly Verb[] = [
  verb<PlaceFlags>({
    name: 'plan',
    says: 'what apply would create, change, archive and restore',
    example: 'servery config plan menu.yaml',
    words: [file],
    flags: [restaurant],
    run: async (call) => planShown(await planOf(call)),
  }),
  verb<PlaceFlags>({
    name: 'diff',
    says: 'the same field by field; exit code 5 when something differs',
    example: 'servery config diff menu.yaml',
    words: [file],
    flags: [restaurant],
    run: async (call) => diffShown(await planOf(call)),
  }),
  verb<ApplyFlags>({
    name: 'apply',
    says: 'publish what the document says, all of it or nothing',
    example: 'servery config apply menu.yaml --note "spring menu"',
    words: [file],
    flags: [
      restaurant,
      flag('--note <text>', 'what it is about, for the history'),
      flag('--expect <state>', 'only if the plan with this state still holds'),
    ],
    run: apply,
  }),
  verb<ExportFlags>({
    name: 'export',
    says: 'the published configuration as a document that apply takes',
    example: 'servery config export --names --out menu.yaml',
    flags: [
      restaurant,
      flag('--out <file>', 'a file instead of standard output; .json for JSON'),
      flag('--names', 'objects name each other by name where only one has it'),
      flag('--archived', 'with the archived objects'),
    ],
    run: exportDocument,
  }),
];

async function planOf(call: Call<PlaceFlags>): Promise<ConfigurationPlan> {
  const document = await readStructured(call.words[0] ?? '');
  const path = await pathFor(call, document);
  return inFile(document, () => call.remote.post(`${path}/plan`, { document: document.value }));
}

async function apply(call: Call<ApplyFlags>): Promise<Shown> {
  const document = await readStructured(call.words[0] ?? '');
  const path = await pathFor(call, document);
  const { note, expect: expectedState } = call.flags;
  const body = { document: document.value, note, expectedState };
  const applied = await inFile(document, () =>
    call.remote.post<AppliedConfiguration>(`${path}/apply`, body),
  );
  const { plan, publication } = applied;
  const number = publication?.number ?? plan.publishNumber;
  const note2 = publication
    ? `Published as ${number}. To go back: servery config rollback ${number - 1} --restaurant ` +
      JSON.stringify(call.flags.restaurant ?? publication.restaurantGuid)
    : `Nothing was published: publication ${number} stays.`;
  return { ...planShown(plan), json: applied, notes: [note2] };
}

async function exportDocument(call: Call<ExportFlags>): Promise<null> {
  const { out, names, archived, json } = call.flags;
  const query = {
    references: names ? 'name' : undefined,
    archived: archived ? 'true' : undefined,
  };
  const path = `${await configurationPath(call)}/export`;
  const document = await call.remote.get<ConfigurationDocument>(path, query);
  const isJson = json || out?.endsWith('.json');
  const text = isJson ? `${JSON.stringify(document, null, 2)}\n` : await yamlOf(document);
  await toTarget(out, call.deps, (write) => Promise.resolve(write(text)));
  return null;
}

/** Without anchors, and without lines that are folded: both are hard to read in a difference. */
async function yamlOf(document: ConfigurationDocument): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** The restaurant of the flag, else the one that the document says it is of. */
async function pathFor(call: Call<PlaceFlags>, document: Structured): Promise<string> {
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidUsage(
      `${document.placeOf([])}: write a configuration document: "servery config export" shows one.`,
    );
  }
  const named = (value as { restaurant?: { guid?: unknown; name?: unknown } }).restaurant;
  const own = call.flags.restaurant ?? named?.guid ?? named?.name;
  if (own !== undefined && typeof own !== 'string') {
    throw invalidUsage(`${document.placeOf(['restaurant'])}: write a name or GUID.`);
  }
  const flags = { ...call.flags, ...(own === undefined ? {} : { restaurant: own }) };
  return configurationPath({ ...call, flags });
}

/** Runs a call about a document; what the platform finds in it is told with its line. */
async function inFile<Result>(document: Structured, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PlatformRefusal) || error.faults.length === 0) throw error;
    const { faults } = error;
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
    const lines = faults.map((fault) => `\n  ${placed(document, fault)}`).join('');
    throw new CommandFailure(
      `the document has ${count}, and nothing was changed${error.request}:${lines}`,
      exitCodes.refused,
      { cause: error },
    );
  }
}

function planShown(plan: ConfigurationPlan): Shown {
  const { counts, actions, actionCount, state } = plan;
  const listed = { results: actions, hasMore: false };
  const notes = plan.isUpToDate
    ? []
    : [
        `${counts.create} created, ${counts.change} changed, ${counts.archive} archived, ` +
          `${counts.restore} restored. State ${state} (see --expect).`,
      ];
  if (actionCount > actions.length) notes.push(`The first ${actions.length} are listed.`);
  if (plan.isUpToDate) return said(plan, 'Everything is as the document says.');
  return { ...rows(columns, listed, ''), json: plan, notes };
}

function diffShown(plan: ConfigurationPlan): Shown {
  const differences = plan.actions.flatMap(({ action, collection, name, guid, fields }) => {
    const object = `${collection} ${name ?? guid}`;
    const whole = { object, field: action.toLowerCase(), before: null, after: null };
    return fields.length === 0 ? [whole] : fields.map((field) => ({ object, ...field }));
  });
  const listed = { results: differences, hasMore: false };
  const shown = rows(differenceColumns, listed, 'Nothing differs.');
  const isSame = plan.isUpToDate;
  return { ...shown, json: plan, ...(isSame ? {} : { exitCode: exitCodes.differs }) };
}

function fieldNames({ action, fields }: PlannedAction): string {
  return action === 'CHANGE' ? fields.map(({ field }) => field).join(', ') : '';
}

/** A value of a field as text; a dash for none. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
