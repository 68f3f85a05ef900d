import type { Static, TObject, TSchema } from 'typebox';
import type { OperationId, OperationWith } from '../operations.ts';
import type { TRead } from '../schemas/field.ts';
import type { SchemaName, schemas } from '../schemas.ts';
import type { Fields } from './parameters.ts';

type ReadValue<Schema> =
  Schema extends TRead<infer Value> ? Value : Schema extends TSchema ? Static<Schema> : never;

type Filled<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Given];

type Absent<Given extends Fields> = Exclude<
  {
    [Name in keyof Given]: Given[Name] extends
      | { readonly '~optional': true }
      | { readonly '~mayBeAbsent': true }
      ? Name
      : never;
  }[keyof Given],
  Filled<Given>
>;

type ReadFields<Given extends Fields> = {
  readonly [Name in Exclude<keyof Given, Absent<Given>>]: ReadValue<Given[Name]>;
} & { readonly [Name in Absent<Given>]?: ReadValue<Given[Name]> };

type ResourceOf<Name extends SchemaName> = (typeof schemas)[Name];

type ReadResource<Schema> =
  Schema extends TObject<infer Given extends Fields> ? ReadFields<Given> : ReadValue<Schema>;

type BodyOf<Content> = Content extends { readonly isParsedLater: true }
  ? string
  : Content extends { readonly schema: infer Name extends SchemaName; readonly array: infer IsList }
    ? IsList extends true
      ? readonly ReadResource<ResourceOf<Name>>[]
      : ReadResource<ResourceOf<Name>>
    : undefined;

export interface RequestOf<Id extends OperationId> {
  readonly params: ReadFields<OperationWith<Id>['params']>;
  readonly query: ReadFields<OperationWith<Id>['query']>;
  readonly body: BodyOf<OperationWith<Id>['requestBody']>;
}

export type AnswerOf<Id extends OperationId> = OperationWith<Id>['response'] extends infer Content
  ? Content extends { readonly schema: infer Name extends SchemaName; readonly array: infer IsList }
    ? IsList extends true
      ? readonly Static<ResourceOf<Name>>[]
      : Static<ResourceOf<Name>>
    : undefined
  : never;
