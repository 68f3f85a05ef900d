import { interfaces, type Operation, openApiFiles, operations } from '@servery/contract';

/** A page about an interface, or about one part of the back office, which has many operations. */
export interface ReferencePage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /** The OpenAPI document that has its operations. */
  readonly document: string;
}

const BACK_OFFICE = 'back-office';

/** What everybody needs comes first, and the back office, which partners don't call, comes last. */
const FIRST = ['authentication.json'];
const LAST = ['platform.json', 'back-office.json'];
const documents = Object.keys(openApiFiles).filter((file) => openApiFiles[file] !== 'all');
const between = documents.filter((file) => ![...FIRST, ...LAST].includes(file));

export const referencePages: readonly ReferencePage[] = [...FIRST, ...between, ...LAST].flatMap(
  (document) => pagesOf(document, document.replace('.json', '')),
);

function pagesOf(document: string, name: string): ReferencePage[] {
  const own = operations.filter((operation) => operation.interface === openApiFiles[document]);
  const [first] = own;
  if (!first) return [];
  const { title, description } = interfaces[first.interface];
  if (name !== BACK_OFFICE) return [{ name, title, description, operations: own, document }];
  return [...Map.groupBy(own, ({ tag }) => tag)].map(([tag, operations]) => ({
    name: `${name}-${tag.toLowerCase().replaceAll(' ', '-')}`,
    title: `${title}: ${tag}`,
    description: operations.map(({ summary }) => summary).join(' · '),
    operations,
    document,
  }));
}

export function findReferencePage(name: string): ReferencePage | undefined {
  return referencePages.find((page) => page.name === name);
}
