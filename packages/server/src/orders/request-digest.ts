import { OrderRequest, SelectionRequest } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { JsonSchema } from '../document/shape.ts';

/**
 * Recognizes a repeat of a request (ORD-52): the order of keys and fields that only answers have
 * make no difference. Keyed, because the request has guest data.
 */
export function digestOfRequest(vault: Pick<Vault, 'digest'>, body: unknown): Buffer {
  return vault.digest('order request', JSON.stringify(essenceOf(body, asSchema(OrderRequest))));
}

const asSchema = (schema: object) => schema as unknown as JsonSchema;

const ECHOED = ['receiptLinePrice', 'splitOrigin', 'triggers'];

function essenceOf(value: unknown, schema: JsonSchema): unknown {
  const { $ref, anyOf, items, properties } = schema;
  if ($ref === 'SelectionRequest') return essenceOf(value, asSchema(SelectionRequest));
  if (Array.isArray(value) && items) return value.map((one) => essenceOf(one, items));
  const [named] = anyOf ?? [];
  if (named) return essenceOf(value, named);
  if (typeof value !== 'object' || value === null) return value;
  // Such an order is refused. To serialize what is there could hold up other requests.
  if (!properties) return {};
  // For payments and references, a guid counts.
  const isOrdered = 'modifiers' in properties || 'selections' in properties;
  const ignored = isOrdered ? [...ECHOED, 'guid'] : ECHOED;
  const known = Object.entries(properties).filter(
    ([name]) => Object.hasOwn(value, name) && !ignored.includes(name),
  );
  return Object.fromEntries(
    known
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, field]) => [name, essenceOf(Reflect.get(value, name), field)]),
  );
}
