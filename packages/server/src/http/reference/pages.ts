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

export const referencePages: readonly ReferencePage[] = Object.entries(openApiFiles).flatMap(
  ([document, subject]) => {
    if (subject === 'all') return [];
    const own = operations.filter((operation) => operation.interface === subject);
    const { title, description } = interfaces[subject];
    const name = document.replace('.json', '');
    if (subject !== 'backOffice') return [{ name, title, description, operations: own, document }];
    return [...Map.groupBy(own, ({ tag }) => tag)].map(([tag, operations]) => ({
      name: `${name}-${tag.toLowerCase().replaceAll(' ', '-')}`,
      title: `${title}: ${tag}`,
      description,
      operations,
      document,
    }));
  },
);

export function findReferencePage(name: string): ReferencePage | undefined {
  return referencePages.find((page) => page.name === name);
}
