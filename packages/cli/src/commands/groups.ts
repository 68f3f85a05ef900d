import type { ManagementGroup } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { editOptions, edits, needsFields } from '../edit.ts';
import { type Columns, said } from '../shown.ts';
import { limit, required, text, the, toggle } from '../values.ts';

const columns: Columns<ManagementGroup> = {
  group: 'guid',
  name: 'name',
  created: 'createdAt',
  archived: 'archived',
};

export const groups: Family = {
  name: 'groups',
  summary: 'Create, view, edit, and archive management groups',
  examples: ['servery groups create --name "Harbor Inns"', 'servery groups show Wrenfield'],
  commands: [
    command({
      name: 'list',
      summary: 'List management groups by name',
      examples: ['servery groups list --search wren'],
      isDefault: true,
      options: {
        search: text('<text>', 'name contains this text'),
        archived: toggle('only archived groups'),
        limit,
      },
      operation: 'backOffice.managementGroups.list',
      pages: { columns, empty: 'No management group matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show a management group',
      examples: ['servery groups show Wrenfield'],
      arguments: { group: the.group },
      operation: 'backOffice.managementGroups.get',
    }),
    command({
      name: 'create',
      summary: 'Create a management group without restaurants',
      examples: ['servery groups create --name "Harbor Inns"'],
      options: { name: required(text('<name>', 'name of the group')) },
      operation: 'backOffice.managementGroups.create',
      show: (made) =>
        said(made, `Created ${made.name} (${made.guid}).`, [
          `Next, add a restaurant: servery restaurants create --group ${made.guid} …`,
        ]),
    }),
    command({
      name: 'edit',
      summary: 'Edit a management group',
      examples: ['servery groups edit Wrenfield --name "Wrenfield Hospitality Group"'],
      arguments: { group: the.group },
      options: { name: text('<name>', 'new name'), ...editOptions },
      operation: 'backOffice.managementGroups.update',
      check: needsFields(),
      run: edits('backOffice.managementGroups.get'),
    }),
    command({
      name: 'archive',
      summary: 'Archive a group whose restaurants are all archived',
      examples: ['servery groups archive "Harbor Inns"'],
      arguments: { group: the.group },
      operation: 'backOffice.managementGroups.archive',
      show: (moved) => said(moved, `${moved.name} (${moved.guid}) is archived.`),
    }),
    command({
      name: 'unarchive',
      summary: 'Unarchive a group',
      examples: ['servery groups unarchive "Harbor Inns"'],
      arguments: { group: the.group },
      operation: 'backOffice.managementGroups.unarchive',
      show: (moved) => said(moved, `${moved.name} (${moved.guid}) is no longer archived.`),
    }),
  ],
};
