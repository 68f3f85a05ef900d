import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardNumberChecker } from '../../src/configuration/document/card-number-check.ts';
import { configurationDocumentSchema } from '../../src/configuration/document/file-schema.ts';
import { FaultList, pathText } from '../../src/document/faults.ts';
import type { JsonSchema } from '../../src/document/field-schema.ts';
import { groupDocumentSchema } from '../../src/group-document/schema.ts';

const NUMBER = 'Call 4111 1111 1111 1111';

/** They may look like a card number by chance. Every other text is one that people write. */
const IDENTIFIERS = [
  '$schema',
  'area',
  'checkGiftCard',
  'code',
  'email',
  'externalGroupRef',
  'externalId',
  'externalRestaurantRef',
  'facebook',
  'key',
  'locationCode',
  'multiLocationId',
  'orderOnline',
  'phone',
  'phoneCountryCode',
  'plu',
  'purchaseGiftCard',
  'sku',
  'stateCode',
  'timeZone',
  'twitter',
  'website',
  'zipCode',
];
/** Objects and accounts that something else names. */
const REFERENCES = [
  'applicableTaxes',
  'diningOptions',
  'excludedGroups',
  'excludedItems',
  'groups',
  'item',
  'itemTags',
  'items',
  'menu',
  'optionGroup',
  'optionGroups',
  'options',
  'parent',
  'partner',
  'portions',
  'preModifierGroup',
  'priceGroup',
  'printer',
  'requiredGroups',
  'requiredItems',
  'restaurant',
  'revenueCenter',
  'salesCategory',
  'serviceArea',
  'sizeGroup',
  'subgroups',
  'taxRates',
];

interface Field {
  readonly name: string;
  readonly path: string;
}

/** A document whose every text that nothing bounds is the number; adds these texts to `found`. */
function filled(schema: JsonSchema, root: JsonSchema, path: string[], found: Field[]): unknown {
  const within = (inner: JsonSchema, step: string) => filled(inner, root, [...path, step], found);
  if (schema.$ref) {
    const definition = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    assert.ok(definition, schema.$ref);
    return filled(definition, root, path, found);
  }
  if (schema.items) return [within(schema.items, '0')];
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, field]) => [name, within(field, name)]));
  }
  if (typeof schema.additionalProperties === 'object') {
    return { 1: within(schema.additionalProperties, '1') };
  }
  const { type, const: constant, pattern, format } = schema;
  if (![type].flat().includes('string')) return null;
  if (schema.enum || constant !== undefined || pattern || format) return null;
  const name = path.findLast((step) => !/^\d/.test(step)) ?? '';
  found.push({ name, path: path.join('.') });
  return NUMBER;
}

for (const [what, schema] of [
  ['group document', groupDocumentSchema()],
  ['backOffice.configuration.plan 422', configurationDocumentSchema()],
] as const) {
  test(`${what} PAY-I7: a card number is refused in every text that is no identifier`, () => {
    const texts: Field[] = [];
    const document = filled(schema, schema, [], texts);
    const faults = new FaultList();
    cardNumberChecker(() => schema)(document, faults);
    const exempt = new Set([...IDENTIFIERS, ...REFERENCES]);
    assert.deepEqual(
      faults.kept.map(({ path }) => path.join('.')).sort(),
      texts.flatMap(({ name, path }) => (exempt.has(name) ? [] : [path])).sort(),
    );
    assert.ok(
      faults.kept.some(({ path }) =>
        pathText(path).endsWith('taxRates[0].conditionalTaxRates[0].condition'),
      ),
    );
    if (what === 'group document') {
      const names = new Set(texts.map(({ name }) => name));
      assert.deepEqual(
        [...exempt].filter((name) => !names.has(name)),
        [],
        'no longer texts',
      );
    }
  });
}
