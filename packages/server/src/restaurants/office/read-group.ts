import { schemas } from '@servery/contract';
import { shapeChecker } from '../../document/check-shape.ts';
import { FaultList } from '../../document/faults.ts';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';
import { mergePatch } from '../../http/merge-patch.ts';
import type { ManagementGroupRow } from '../group-store.ts';
import type { GroupFields } from '../manage-groups.ts';
import {
  checkSameArchived,
  checkSameGuid,
  openDocument,
  readNewGuid,
  readVersion,
  refuseFaults,
  requireVersion,
  type Sent,
} from './sent-document.ts';

const { name } = (schemas.CreateManagementGroup as unknown as JsonSchema).properties as {
  readonly name: JsonSchema;
};
const checkShape = shapeChecker(() => objectSchema({}, { name }));

/**
 * Reads the body that makes a management group. Throws ApiError `badRequest` when the name is
 * missing, else `unprocessable` when something is wrong; its faults are all there are.
 */
export function readNewGroup(body: unknown): { guid: string | null; name: string } {
  const faults = new FaultList();
  const sent = openDocument(body, faults);
  const guid = readNewGuid(sent, faults);
  const { archived, ...fields } = mergePatch({}, sent.fields) as Sent;
  if (archived !== undefined && archived !== false) {
    faults.add(['archived'], 'is false for a new group; archive it when it is made');
  }
  const group = readName(fields, faults);
  refuseFaults(faults, ([step]) => step === 'name' && !Object.hasOwn(fields, 'name'));
  return { guid, name: group };
}

/**
 * Reads a JSON merge patch of a management group (RFC 7396) and gives what says how the group is
 * after it; both throw as those of a restaurant do.
 */
export function readGroupEdit(body: unknown): (group: ManagementGroupRow) => GroupFields {
  openDocument(body, new FaultList());
  return (group) => {
    const faults = new FaultList();
    const sent = openDocument(body, faults);
    requireVersion(readVersion(sent, faults), group.version);
    checkSameGuid(sent, group.guid, faults);
    const { archived, ...fields } = sent.fields;
    checkSameArchived(archived, group.archived, ['archived'], faults);
    const edited = readName(mergePatch({ name: group.name }, fields) as Sent, faults);
    refuseFaults(faults);
    return { name: edited, archived: group.archived };
  };
}

function readName(fields: Sent, faults: FaultList): string {
  const broken = checkShape(fields, faults);
  if (!broken.isSound(['name'])) return '';
  const text = String(fields.name);
  if (text.trim() === '') faults.add(['name'], 'is empty; write the name of the group');
  return text;
}
