import { limits } from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';
import type { DocumentConfiguration } from './document.ts';
import { configurationSchema, objectDefinitions } from './schema.ts';

export const CONFIGURATION_FORMAT = 'servery.configuration/1';

export interface ConfigurationFile {
  readonly format?: typeof CONFIGURATION_FORMAT;
  /** When absent, the document fits any restaurant. */
  readonly restaurant?: { readonly guid?: string; readonly name?: string } | null;
  /** When true, applying archives what the document doesn't name. */
  readonly complete?: boolean;
  readonly configuration: DocumentConfiguration;
}

export function configurationDocumentSchema(): JsonSchema {
  const restaurant: JsonSchema = {
    type: ['object', 'null'],
    description: 'Whose configuration it is; when there, it must be the one that it is applied to.',
    additionalProperties: false,
    properties: {
      guid: { type: 'string', format: 'uuid', ...limits.line, description: 'The restaurant.' },
      name: {
        type: 'string',
        ...limits.line,
        description: 'Its name, for human readers; ignored.',
      },
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The configuration of a Servery restaurant',
    ...objectSchema(
      { description: 'The configuration of one restaurant, for plan and apply.' },
      {
        $schema: {
          type: 'string',
          ...limits.address,
          '~identifier': true,
          description: 'Where an editor finds this schema; ignored.',
        },
        format: { const: CONFIGURATION_FORMAT, description: 'Name and version of this format.' },
        restaurant,
        complete: {
          type: 'boolean',
          default: false,
          description: 'True when what the document does not name is to be archived.',
        },
        configuration: { $ref: '#/$defs/Configuration' },
      },
      ['$schema', 'format', 'restaurant'],
    ),
    $defs: { Configuration: configurationSchema, ...objectDefinitions() },
  };
}
