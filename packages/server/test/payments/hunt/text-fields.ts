import { schemas } from '@servery/contract';

/** The way to a field of a payment request, for example `requestMetadata`, `userAgent`. */
export type FieldPath = readonly string[];

interface Node {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly anyOf?: readonly Node[];
}

/** Every text field of a payment request, as the contract has them. */
export function textFields(): FieldPath[] {
  return fieldsOf(schemas.PaymentAuthorization as Node, []);
}

function fieldsOf({ type, properties, anyOf }: Node, path: FieldPath): FieldPath[] {
  const own = type === 'string' ? [path] : [];
  const inner = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    fieldsOf(field, [...path, name]),
  );
  return [...own, ...inner, ...(anyOf ?? []).flatMap((each) => fieldsOf(each, path))];
}

/** A copy of a body with a text in that field, whatever stood there. */
export function withText(body: unknown, path: FieldPath, text: string): Record<string, unknown> {
  const [name = '', ...rest] = path;
  const object = typeof body === 'object' && body !== null ? body : {};
  const inner = (object as Record<string, unknown>)[name];
  return { ...object, [name]: rest.length === 0 ? text : withText(inner, rest, text) };
}
