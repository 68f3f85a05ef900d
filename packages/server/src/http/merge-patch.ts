import { isJsonObject } from './json-object.ts';

/** RFC 7396. Changes neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Defines own properties, so no name reaches inherited ones.
  return Object.fromEntries(merged);
}
