import assert from 'node:assert/strict';
import { test } from 'node:test';
import Typebox from 'typebox';
import { Type } from './type.ts';

/** Schemas of every builder, in the ways in which the contract uses them. */
function schemasOf(type: typeof Type): Record<string, unknown> {
  const text = type.String({ description: 'A text.', format: 'uuid' });
  const either = type.Union([type.Literal('a'), type.Literal(5)], { description: 'Either.' });
  const fields = {
    text,
    absent: type.Optional(text),
    whole: type.Integer({ minimum: 0 }),
    decimal: type.Optional(type.Number()),
    flag: type.Boolean({ default: false }),
    list: type.Array(either, { minItems: 1 }),
    chosen: type.Unsafe<'x'>({ type: 'string', enum: ['x'] }),
    named: type.Unsafe<string>(type.Ref('Name')),
  };
  const whole = type.Object(fields, { description: 'All.', additionalProperties: false });
  return {
    whole,
    within: type.Object({ ...whole.properties, whole }),
    open: type.Object({ absent: type.Optional(text) }),
    empty: type.Object({}),
    optionalObject: type.Object({ whole: type.Optional(whole) }),
    chosenOptional: type.Object({ chosen: type.Optional(fields.chosen) }),
    noLongerOptional: type.Object({ absent: type.Unsafe<string>({ ...fields.absent }) }),
    stillOptional: type.Object({ absent: type.Unsafe<string>(fields.absent) }),
  };
}

test('Type: what it builds is what typebox builds, to the order of the keywords', () => {
  const own = schemasOf(Type);
  for (const [name, schema] of Object.entries(schemasOf(Typebox))) {
    assert.equal(JSON.stringify(own[name]), JSON.stringify(schema), name);
  }
});

test('Type: a schema that is a part of another stays the same object, as with typebox', () => {
  for (const type of [Type, Typebox]) {
    const part = type.Object({});
    assert.equal(type.Object({ part }).properties.part, part);
    assert.equal(type.Array(part).items, part);
    assert.equal(type.Union([part]).anyOf[0], part);
    assert.notEqual(type.Optional(part), part);
  }
});
