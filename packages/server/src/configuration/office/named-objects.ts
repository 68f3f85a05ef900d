import type { ConfigurationPlace } from '@servery/contract';
import type { FaultPath, Faults } from '../../http/faults.ts';
import type { ObjectPlace } from '../document/contents.ts';
import { isObjectKind, placeKey } from '../object-state.ts';

export function namedObjects(
  objects: readonly ConfigurationPlace[] | undefined,
  faults: Faults,
  path: FaultPath,
): readonly ObjectPlace[] | null {
  if (objects === undefined) return null;
  if (objects.length === 0) faults.add(path, 'must name at least one object');
  const places = new Map<string, ObjectPlace>();
  for (const [index, place] of objects.entries()) {
    if (!faults.isSound([...path, index])) continue;
    const { collection, guid } = place;
    if (isObjectKind(collection)) {
      places.set(placeKey({ collection, guid }), { collection, guid });
    } else faults.add([...path, index, 'collection'], 'must name a collection');
  }
  return [...places.values()];
}
