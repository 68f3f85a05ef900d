import { Refused } from '@servery/client/back-office';
import type { ConfigurationPlan, FieldChange, PlannedAction } from '@servery/contract';
import { type AnyCommand, command, type Session } from '../command.ts';
import { CommandFailure, endsWith, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fieldChangesText, innerChanges } from '../field-changes.ts';
import { findRestaurant, firstRestaurant } from '../find/find.ts';
import { toTarget } from '../output-file.ts';
import { oneOf, quoted } from '../readers.ts';
import { requestOf } from '../refusals.ts';
import { type Columns, rows, type Shown, said, valueText } from '../shown.ts';
import { placed, readStructured, type Structured } from '../structured-file.ts';
import { argument, as, atRestaurant, loading, restaurantNames, text, toggle } from '../values.ts';

const columns: Columns<PlannedAction> = {
  action: ({ action }) => action.toLowerCase(),
  collection: 'collection',
  object: ({ name, guid }) => name ?? guid,
  fields: ({ action, fields }) => (action === 'CHANGE' ? fieldChangesText(fields) : ''),
};

const differenceColumns: Columns<FieldChange & { readonly object: string }> = {
  object: 'object',
  field: 'field',
  now: ({ before }) => valueText(before),
  'in the file': ({ after }) => valueText(after),
};

const file = {
  file: as(
    null,
    loading(readStructured, argument('a JSON or YAML document; - for standard input')),
  ),
};
const ofDocument = {
  restaurant: {
    ...as(null, text('<restaurant>', 'name or GUID (default: that of the document)')),
    completions: restaurantNames,
  },
};

export const fileCommands: readonly AnyCommand[] = [
  command({
    name: 'plan',
    summary: 'Show what apply would create, change, archive, and restore',
    examples: ['servery config plan menu.yaml'],
    arguments: file,
    options: ofDocument,
    run: async (call) => planShown(await planOf(call, call.args.file, call.options.restaurant)),
  }),
  command({
    name: 'diff',
    summary: 'Show what apply would change, field by field; exits with 5 if something differs',
    examples: ['servery config diff menu.yaml'],
    arguments: file,
    options: ofDocument,
    run: async (call) => diffShown(await planOf(call, call.args.file, call.options.restaurant)),
  }),
  command({
    name: 'apply',
    summary: 'Publish the content of a document, all or nothing',
    examples: ['servery config apply menu.yaml --note "spring menu"'],
    arguments: file,
    options: {
      ...ofDocument,
      note: as(null, text('<text>', 'note for the history')),
      expect: as(null, text('<state>', 'only if the plan still has this state')),
    },
    run: async (call) => {
      const { restaurant, note, expect: expectedState } = call.options;
      const document = call.args.file;
      const params = await restaurantOf(call, document, restaurant);
      const body = { document: document.value, note, expectedState };
      const applied = await inFile(
        document,
        call.client.call('backOffice.configuration.apply', { params, body }),
      );
      const { plan, publication } = applied;
      const number = publication?.number ?? plan.publishNumber;
      const told = publication
        ? `Published as ${number}. To undo it: servery config rollback ${number - 1} ` +
          `--restaurant ${quoted(restaurant ?? publication.restaurantGuid)}`
        : `Nothing was published. Publication ${number} is still current.`;
      return { ...planShown(plan), json: applied, notes: [told] };
    },
  }),
  command({
    name: 'draft',
    summary: 'Save the content of a document as drafts, all or nothing',
    examples: ['servery config draft menu.yaml'],
    arguments: file,
    options: {
      ...ofDocument,
      expect: as(null, text('<state>', 'only if the plan still has this state')),
      conflicts: as(
        null,
        text(
          '<keep|replace>',
          'keep or replace values in drafts that differ from the document (default: refuse the document)',
          oneOf({ keep: 'keep', replace: 'replace' }),
        ),
      ),
    },
    run: async (call) => {
      const { restaurant, conflicts, expect: expectedState } = call.options;
      const document = call.args.file;
      const params = await restaurantOf(call, document, restaurant);
      const body = { document: document.value, expectedState, conflicts };
      const draft = await inFile(
        document,
        call.client.call('backOffice.configuration.draft.apply', { params, body }),
      );
      return said(draft, `The restaurant has ${draft.results.length} drafts now.`, [
        'To look at them: servery config preview. To publish them: servery config publish.',
      ]);
    },
  }),
  command({
    name: 'export',
    summary: 'Export the published configuration as a document for apply',
    examples: ['servery config export --names --out menu.yaml'],
    options: {
      restaurant: atRestaurant(),
      out: as(
        null,
        text('<file>', 'write to this file instead of standard output; .json for JSON'),
      ),
      names: as(null, toggle('refer to objects by name where the name is unique')),
      archived: toggle('include archived objects'),
    },
    operation: 'backOffice.configuration.export',
    run: async (call) => {
      const { out, names } = call.options;
      const document = await call.ask({ query: { references: names ? 'name' : undefined } });
      const isJson = call.flags.json || out?.endsWith('.json');
      const written = isJson ? `${JSON.stringify(document, null, 2)}\n` : await yamlOf(document);
      await toTarget(out, call, (write) => Promise.resolve(write(written)));
      return null;
    },
  }),
];

async function planOf(
  session: Session,
  document: Structured,
  restaurant: string | undefined,
): Promise<ConfigurationPlan> {
  const params = await restaurantOf(session, document, restaurant);
  const body = { document: document.value };
  return inFile(document, session.client.call('backOffice.configuration.plan', { params, body }));
}

/** Without anchors and folded lines: both are hard to read in a diff. */
async function yamlOf(document: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** The restaurant that is named, else the one that the document says it is of. */
async function restaurantOf(session: Session, document: Structured, written: string | undefined) {
  const { value, placeOf } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidUsage(
      `${placeOf([])}: write a configuration document. "servery config export" prints one.`,
    );
  }
  const named = (value as { restaurant?: { guid?: unknown; name?: unknown } }).restaurant;
  const own = written ?? named?.guid ?? named?.name;
  if (own !== undefined && typeof own !== 'string') {
    throw invalidUsage(`${placeOf(['restaurant'])}: write a name or GUID.`);
  }
  return {
    restaurantGuid:
      own === undefined ? firstRestaurant(session) : await findRestaurant(own, session),
  };
}

/** What the platform finds in a document is reported with its lines. */
async function inFile<Result>(document: Structured, asked: Promise<Result>): Promise<Result> {
  return await asked.catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status === 409) throw error;
    if (error.faults.length === 0) throw error;
    const { faults } = error;
    const count = faults.length === 1 ? 'one error' : `${faults.length} errors`;
    const lines = faults.map((fault) => `\n  ${placed(document, fault.message)}`).join('');
    throw new CommandFailure(
      `the document has ${count}, and nothing was changed${requestOf(error)}:${lines}`,
      exitCodes.refused,
      { cause: error },
    );
  });
}

function planShown(plan: ConfigurationPlan): Shown {
  const { counts, actions, actionCount, state } = plan;
  if (plan.isUpToDate) return said(plan, 'The configuration already matches the document.');
  const notes = [
    `${counts.create} created, ${counts.change} changed, ${counts.archive} archived, ` +
      `${counts.restore} restored. State ${state} (see --expect).`,
  ];
  if (actionCount > actions.length) notes.push(`Only the first ${actions.length} are listed.`);
  return { ...rows(columns, actions, ''), json: plan, notes };
}

function diffShown(plan: ConfigurationPlan): Shown {
  const differences = plan.actions.flatMap(({ action, collection, name, guid, fields }) => {
    const object = `${collection} ${name ?? guid}`;
    const whole = { object, field: action.toLowerCase(), before: null, after: null };
    return fields.length === 0
      ? [whole]
      : fields.flatMap(innerChanges).map((field) => ({ object, ...field }));
  });
  const shown = { ...rows(differenceColumns, differences, 'Nothing differs.'), json: plan };
  return plan.isUpToDate ? shown : { ...shown, failure: endsWith('differs') };
}
