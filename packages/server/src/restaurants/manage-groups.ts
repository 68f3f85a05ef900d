import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import { everywhere } from '../support/due-work.ts';
import {
  findGroup,
  findGroupLocked,
  findLiveRestaurantName,
  type ManagementGroupRow,
  updateGroup,
} from './group-store.ts';
import { commitOrReadBack } from './read-back.ts';
import { insertGroup } from './write-store.ts';

export interface OrganizationDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
}

export interface Organizer {
  readonly origin: ChangeOrigin;
  readonly reach: Reach;
}

export type GroupFields = Pick<ManagementGroupRow, 'name' | 'archived'>;

/** Throws ApiError `conflict` for a taken GUID. */
export async function createGroup(
  deps: OrganizationDeps,
  { origin }: Pick<Organizer, 'origin'>,
  group: Pick<ManagementGroupRow, 'guid' | 'name'>,
): Promise<ManagementGroupRow> {
  return await change(deps, async (sql) => {
    if (!(await insertGroup(sql, group, origin.at))) throw taken('management group', group.guid);
    const row = await findGroup(sql, group.guid, everywhere);
    if (!row) throw new Error(`the management group ${group.guid} vanished as it was made`);
    await recordGroup(sql, origin, null, row);
    return row;
  });
}

/** `edit` returns the new fields or throws. Null when no group is within reach. */
export async function editGroup(
  deps: OrganizationDeps,
  guid: string,
  { origin, reach }: Organizer,
  edit: (group: ManagementGroupRow) => GroupFields,
): Promise<ManagementGroupRow | null> {
  if (!(await findGroup(deps.database.sql, guid, reach))) return null;
  return await change(deps, async (sql) => {
    const before = await findGroupLocked(sql, guid, reach);
    if (!before) throw new Error(`the management group ${guid} vanished`);
    const fields = edit(before);
    if (fields.archived && !before.archived) await requireNothingLive(sql, guid);
    if (fields.name === before.name && fields.archived === before.archived) return before;
    const after = await updateGroup(sql, { guid, ...fields }, origin.at);
    await recordGroup(sql, origin, before, after);
    return after;
  });
}

/** Null when no group is within reach. Throws ApiError `conflict` if a restaurant is live. */
export async function archiveGroup(
  deps: OrganizationDeps,
  guid: string,
  organizer: Organizer,
  archived: boolean,
): Promise<ManagementGroupRow | null> {
  return await editGroup(deps, guid, organizer, ({ name }) => ({ name, archived }));
}

function change(
  { database }: OrganizationDeps,
  run: (sql: Sql) => Promise<ManagementGroupRow>,
): Promise<ManagementGroupRow> {
  return commitOrReadBack(database, run, ({ guid }) => findGroup(database.sql, guid, everywhere));
}

/** The lock on the group keeps others from unarchiving a restaurant meanwhile. */
async function requireNothingLive(sql: Sql, groupGuid: string): Promise<void> {
  const live = await findLiveRestaurantName(sql, groupGuid);
  if (live === null) return;
  throw new ApiError(
    'conflict',
    `The restaurant ${JSON.stringify(live)} of the management group is not archived: archive ` +
      'its restaurants first.',
  );
}

export function taken(what: string, guid: string): ApiError {
  return new ApiError(
    'conflict',
    `There is a ${what} with the guid ${guid} already: send another one, or none.`,
  );
}

async function recordGroup(
  sql: Sql,
  origin: ChangeOrigin,
  before: ManagementGroupRow | null,
  after: ManagementGroupRow,
): Promise<void> {
  await insertEntry(sql, origin, {
    subject: { kind: 'managementGroup', id: after.guid },
    managementGroupGuid: after.guid,
    before: before && groupDocument(before),
    after: groupDocument(after),
  });
}

export function groupDocument({ createdAt, modifiedAt, ...group }: ManagementGroupRow) {
  return {
    guid: group.guid,
    name: group.name,
    archived: group.archived,
    version: group.version,
    createdAt: isoTimestamp(createdAt),
    modifiedAt: isoTimestamp(modifiedAt),
  };
}
