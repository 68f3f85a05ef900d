import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidGroupDocument } from '../../src/group-document/faults.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';

/** Stands in a document's text where its fault is; it is taken out before the text is read. */
const MARK = '«';

/** JSON text for the parts of a document; a part that is absent is sound. */
export interface DocumentParts {
  /** Properties beside the others, each with a comma after it. */
  readonly top?: string;
  readonly managementGroup?: string;
  readonly partners?: string;
  readonly clients?: string;
  /** Properties of `general` after the needed ones, each with a comma before it. */
  readonly general?: string;
  /** Sections beside `general`, each with a comma before it. */
  readonly info?: string;
  /** Properties of `configuration`. */
  readonly configuration?: string;
  readonly stock?: string;
  readonly connections?: string;
  /** All of the text; the other parts are then not used. */
  readonly text?: string;
}

/** The text of a small document with these parts. */
export function documentText(parts: DocumentParts): string {
  if (parts.text !== undefined) return parts.text;
  return `{
  ${parts.top ?? ''}
  "format": "servery.group/1",
  "managementGroup": ${parts.managementGroup ?? '{ "name": "Fault Finders" }'},
  "partners": ${parts.partners ?? '[{ "key": "courier", "name": "Courier" }]'},
  "clients": ${parts.clients ?? '[]'},
  "restaurants": [
    {
      "key": "corner",
      "info": {
        "general": {
          "name": "Corner", "timeZone": "Europe/Rome", "currencyCode": "EUR"
          ${parts.general ?? ''}
        }
        ${parts.info ?? ''}
      },
      "configuration": {
        ${parts.configuration ?? ''}
      },
      "stock": ${parts.stock ?? '[]'}
    }
  ],
  "connections": ${parts.connections ?? '[]'}
}`;
}

/** Reads a document that must be refused; gives what was told. */
export function refusal(source: string | Uint8Array): InvalidGroupDocument {
  try {
    readGroupDocument(source);
  } catch (error) {
    assert.ok(error instanceof InvalidGroupDocument, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the document was not refused' });
}

/**
 * Tests that a document has exactly the one fault that stands at the mark `«` in its parts, at its
 * line and column, with this path and message.
 */
export function testFault(
  title: string,
  parts: DocumentParts,
  path: string,
  message: RegExp,
): void {
  test(`group document: ${title}`, () => {
    const marked = documentText(parts);
    const at = marked.indexOf(MARK);
    assert.ok(at >= 0, 'the document has no mark');
    const before = marked.slice(0, at);
    const { faults, faultCount } = refusal(marked.replace(MARK, ''));
    assert.deepEqual(
      faults.map(({ message: told, ...place }) => place),
      [{ line: before.split('\n').length, column: at - before.lastIndexOf('\n'), path }],
      faults.map(({ message: told }) => told).join('\n'),
    );
    assert.equal(faultCount, 1);
    assert.match(faults[0]?.message ?? '', message);
  });
}
