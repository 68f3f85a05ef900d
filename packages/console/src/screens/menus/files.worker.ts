/** Reads, merges and writes files beside the page, which never waits for them. */
import { readCsv, writeCsv } from './csv.ts';
import { type Merged, mergeSheet, sheetFields, sheetOf } from './sheet.ts';
import type { Fields } from './values.ts';

export type FileRequest =
  | { readonly kind: 'read'; readonly file: File }
  | { readonly kind: 'merge'; readonly exportUrl: string; readonly mapping: readonly string[] }
  | { readonly kind: 'exportSheet' | 'exportDocument'; readonly exportUrl: string };

export type FileAnswer =
  | { readonly kind: 'document'; readonly document: object }
  | {
      readonly kind: 'sheet';
      readonly headings: readonly string[];
      readonly sample: readonly (readonly string[])[];
      readonly count: number;
    }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'refused'; readonly status: number }
  | ({ readonly kind: 'merged' } & Merged)
  | { readonly kind: 'file'; readonly file: Blob };

const SAMPLE = 3;

let rows: readonly (readonly string[])[] = [];

addEventListener('message', ({ data }: MessageEvent<FileRequest>) => {
  answer(data).then(
    (result) => postMessage(result),
    () => postMessage({ kind: 'unreadable' } satisfies FileAnswer),
  );
});

async function answer(request: FileRequest): Promise<FileAnswer> {
  if (request.kind === 'read') return read(await request.file.text());
  const response = await fetch(request.exportUrl);
  if (!response.ok) return { kind: 'refused', status: response.status };
  const exported = (await response.json()) as {
    readonly configuration: Readonly<Record<string, readonly Fields[]>>;
  };
  switch (request.kind) {
    case 'merge':
      return { kind: 'merged', ...mergeSheet(rows, request.mapping, exported.configuration) };
    case 'exportSheet': {
      const text = writeCsv([sheetFields, ...sheetOf(exported.configuration)]);
      return { kind: 'file', file: new Blob([text], { type: 'text/csv' }) };
    }
    default: {
      const text = JSON.stringify(exported, null, 2);
      return { kind: 'file', file: new Blob([text], { type: 'application/json' }) };
    }
  }
}

function read(text: string): FileAnswer {
  if (text.trimStart().startsWith('{')) {
    return { kind: 'document', document: JSON.parse(text) as object };
  }
  const [headings, ...all] = readCsv(text);
  if (!headings || all.length === 0) return { kind: 'unreadable' };
  rows = all.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@])/, '')));
  return { kind: 'sheet', headings, sample: all.slice(0, SAMPLE), count: all.length };
}
