type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What a JSON value is after a JSON merge patch (RFC 7396): a field that the patch does not name
 * stays, null removes it, an object is merged into the one that is there, and anything else, lists
 * too, takes the place of what was there. Neither argument is changed.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // It defines own properties, so that no name reaches what an object inherits.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
