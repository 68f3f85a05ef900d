import {
  brandedDestination,
  type CollectionName,
  collectionByName,
  collectionReferences,
  type ReferenceField,
} from '@servery/contract';
import { arranger } from '../http/pipeline/arrange.ts';
import type { ObjectRow, Snapshot, TargetRow } from './store.ts';

/** Puts the stored objects of a snapshot into their wire form, keeping their order. */
export type Render = (snapshot: Pick<Snapshot, 'objects' | 'targets'>) => unknown[];

type Target = Readonly<Record<string, unknown>>;

/**
 * Makes, once for a collection, the function that renders its objects as the contract has them:
 * `guid`, `entityType`, for some `externalId`, then the fields in the contract's order. A reference
 * gets the kind and the external identifier of its target; where the target is archived or does
 * not exist it is null, or left out of a list (decisions CFG-7). An embedded target stands there as a
 * whole object (CFG-4). The destination of a service charge may be the brand.
 */
export function renderer(collection: CollectionName, brand: string): Render {
  const arrange = arranger(collectionByName(collection).schema);
  const references = collectionReferences[collection];
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
