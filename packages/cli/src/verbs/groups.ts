import type { ManagementGroup } from '@servery/contract';
import { readPages } from '../back-office.ts';
import type { Column } from '../table.ts';
import { type EditFlags, edited, editFlags, editOf } from './edit.ts';
import { fields, rows, said } from './shown.ts';
import { type Family, flag, limitFlag, needed, type Verb, verb } from './verb.ts';

const PATH = '/backoffice/v1/managementGroups';
const group = { name: '<group>', says: 'its name or GUID' };

const columns: readonly Column<ManagementGroup>[] = [
  { title: 'group', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'created', cell: ({ createdAt }) => createdAt },
  { title: 'archived', cell: ({ archived }) => (archived ? 'archived' : '') },
];

interface ListFlags {
  readonly search?: string;
  readonly archived?: boolean;
  readonly limit: number;
}

function move(name: 'archive' | 'unarchive', says: string, done: string): Verb {
  return verb<object>({
    name,
    says,
    example: `servery groups ${name} "Harbour Inns"`,
    words: [group],
    run: async ({ remote, find, words: [text = ''] }) => {
      const path = `${PATH}/${await find.group(text)}/${name}`;
      const moved = await remote.post<ManagementGroup>(path);
      return said(moved, `${moved.name} (${moved.guid}) is ${done}.`);
    },
  });
}

/** `servery groups`. */
export const groups: Family = {
  name: 'groups',
  says: 'make, look at, edit and archive management groups',
  examples: ['servery groups create --name "Harbour Inns"', 'servery groups show Wrenfield'],
  verbs: [
    verb<ListFlags>({
      name: 'list',
      says: 'the management groups within reach, by name',
      example: 'servery groups list --search wren',
      isDefault: true,
      flags: [
        flag('--search <text>', 'with this in their name'),
        flag('--archived', 'those that are archived'),
        limitFlag(),
      ],
      run: async ({ remote, flags: { search, archived, limit } }) => {
        const query = { search, archived: archived ? 'true' : undefined };
        const page = await readPages<ManagementGroup>(remote, PATH, query, limit);
        return rows(columns, page, 'There is no such group within reach.');
      },
    }),
    verb<object>({
      name: 'show',
      says: 'one management group',
      example: 'servery groups show Wrenfield',
      words: [group],
      run: async ({ remote, find, words: [text = ''] }) =>
        fields(await remote.get(`${PATH}/${await find.group(text)}`)),
    }),
    verb<{ readonly name: string }>({
      name: 'create',
      says: 'make a management group, without restaurants',
      example: 'servery groups create --name "Harbour Inns"',
      flags: [needed('--name <name>', 'what people call it')],
      run: async ({ remote, flags: { name } }) => {
        const made = await remote.post<ManagementGroup>(PATH, { name });
        return said(made, `Made ${made.name} (${made.guid}).`, [
          `Make a restaurant in it next: servery restaurants create --group ${made.guid} …`,
        ]);
      },
    }),
    verb<EditFlags & { readonly name?: string }>({
      name: 'edit',
      says: 'change a management group',
      example: 'servery groups edit Wrenfield --name "Wrenfield Hospitality Group"',
      words: [group],
      flags: [flag('--name <name>', 'what people call it'), ...editFlags],
      run: async ({ remote, find, flags, words: [text = ''] }) => {
        const patch = await editOf(flags, { name: flags.name });
        return edited(remote, `${PATH}/${await find.group(text)}`, patch);
      },
    }),
    move('archive', 'archive a group whose restaurants all are', 'archived'),
    move('unarchive', 'take a group out of the archive', 'in operation'),
  ],
};
