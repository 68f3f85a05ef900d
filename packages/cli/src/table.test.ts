import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Columns, renderTable } from './table.ts';
import { paintOf, plain } from './terminal.ts';

interface Row {
  readonly id: string;
  readonly text: string;
}

const columns: Columns<Row> = { id: 'id', text: ({ text }) => text };
const look = (width: number) => ({ width, paint: plain });
const guid = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';

test('servery tables: what fits is a table without a column that says nothing', () => {
  const rows = [
    { id: 'a', text: 'one' },
    { id: 'bcd', text: '' },
  ];
  assert.equal(renderTable(columns, rows, look(80)), 'id   text\na    one\nbcd\n');
  assert.equal(renderTable(columns, [{ id: 'a', text: '' }], look(80)), 'id\na\n');
});

test('servery tables: sentences are broken between words where lines are short', () => {
  const rows = [{ id: guid, text: 'a sentence of several words' }];
  assert.equal(
    renderTable(columns, rows, look(36 + 2 + 14)),
    `id${' '.repeat(36)}text\n${guid}  a sentence of\n${' '.repeat(38)}several words\n`,
  );
});

test('servery tables: on a narrow terminal each row is a block; a GUID is never broken', () => {
  const rows = [
    { id: guid, text: 'a sentence of several words' },
    { id: 'b', text: '' },
  ];
  assert.equal(
    renderTable(columns, rows, look(24)),
    `id    ${guid}\ntext  a sentence of\n      several words\n\nid    b\n`,
  );
});

test('servery tables: titles are bold on a terminal alone, and not with NO_COLOR', () => {
  const bold = (env: Record<string, string>, isTTY = true) =>
    renderTable(columns, [{ id: 'a', text: '' }], { width: 80, paint: paintOf({ isTTY }, env) });
  assert.equal(bold({}), '\u001b[1mid\u001b[22m\na\n');
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.equal(bold(env), 'id\na\n');
  assert.equal(bold({}, false), 'id\na\n', 'a pipe');
});

test('servery tables: a terminal cannot take a cell for commands', () => {
  const shown = renderTable(columns, [{ id: 'a', text: 'x\u001b[31my' }], look(80));
  assert.ok(shown.includes('x\u{fffd}[31my'));
});

test('servery tables: a name cannot turn the order of what stands around it', () => {
  const shown = renderTable(columns, [{ id: 'a', text: 'gnp.\u202elive \u2067هدهد' }], look(80));
  assert.ok(shown.includes('gnp.\u{fffd}live \u{fffd}هدهد'));
});
