import {
  brandedDestination,
  type CollectionName,
  collectionByName,
  partnerReferences,
  type ReferenceField,
} from '@servery/contract';
import { arranger } from '../http/pipeline/arrange.ts';
import type { ObjectRow, Snapshot, TargetRow } from './store.ts';

export type Render = (snapshot: Pick<Snapshot, 'objects' | 'targets'>) => unknown[];

type Target = Readonly<Record<string, unknown>>;

/**
 * Build it once for each collection. A reference gets its target's kind and external identifier. If
 * the target is archived or missing, the reference is null or left out of a list (CFG-7). Embedded
 * targets are whole objects (CFG-4).
 */
export function renderer(collection: CollectionName, brand: string): Render {
  const arrange = arranger(collectionByName(collection).schema);
  const references = partnerReferences(collection);
  const hasDestination = collection === 'serviceCharges';
  return ({ objects, targets }) => {
    const targetsByPlace = new Map(
      targets.map((target) => [placeOf(target.collection, target.guid), targetDocument(target)]),
    );
    return objects.map(({ guid, externalId, fields }: ObjectRow) => {
      const document: Record<string, unknown> = { ...fields, guid, externalId };
      for (const reference of references) {
        const stored = fields[reference.field];
        document[reference.field] = resolve(stored, reference, targetsByPlace);
      }
      if (hasDestination) document.destination = brandedDestination(fields.destination, brand);
      return arrange(document);
    });
  };
}

function targetDocument({ collection, guid, externalId, fields }: TargetRow): Target {
  return { ...fields, guid, externalId, entityType: collectionByName(collection).object };
}

function resolve(
  stored: unknown,
  reference: ReferenceField,
  targets: ReadonlyMap<string, Target>,
): Target | readonly Target[] | null {
  const find = (guid: unknown) => targets.get(placeOf(reference.target, String(guid)));
  if (!reference.many) return find(stored) ?? null;
  const guids = Array.isArray(stored) ? stored : [];
  return guids.map(find).filter((target) => target !== undefined);
}

function placeOf(collection: CollectionName, guid: string): string {
  return `${collection}/${guid}`;
}
