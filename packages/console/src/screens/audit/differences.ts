/** One field that a change set, with its values before and after; undefined where it was not there. */
export interface Difference {
  /** From the object to the field, for example `roles[0].role`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Value = unknown;

/** Field by field, in the order of the object. Equal fields are left out. */
export function differencesOf(before: Value, after: Value): readonly Difference[] {
  return between('', before ?? undefined, after ?? undefined);
}

function between(path: string, before: Value, after: Value): readonly Difference[] {
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return [];
  const [one, other] = [childrenOf(before), childrenOf(after)];
  const isLeaf = (value: Value, children: typeof one) => value !== undefined && children === null;
  if ((!one && !other) || isLeaf(before, one) || isLeaf(after, other)) {
    return [{ path, before, after }];
  }
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  const isList = Array.isArray(before) || Array.isArray(after);
  return names.flatMap((name) => {
    const below = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    return between(below, one?.[name], other?.[name]);
  });
}

/** Null for what has no fields, and for an empty list or object, which is a value of its own. */
function childrenOf(value: Value): Readonly<Record<string, Value>> | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  return { ...value };
}
