/**
 * The types of typebox that the contract's declarations name, so that a published package needs no
 * other for its types. `npm run package-check` compares what both make of every operation.
 */
// biome-ignore lint/complexity/noBannedTypes: what typebox's schemas extend
export type TSchema = {};

type Properties = Readonly<Record<PropertyKey, TSchema>>;

export interface TObject<Fields extends Properties = Properties> {
  '~kind': 'Object';
  properties: Fields;
}
export interface TArray<Item extends TSchema = TSchema> {
  '~kind': 'Array';
  items: Item;
}
export interface TUnion<Choices extends readonly TSchema[] = readonly TSchema[]> {
  '~kind': 'Union';
  anyOf: Choices;
}
export interface TLiteral<Value = unknown> {
  '~kind': 'Literal';
  const: Value;
}
export interface TUnsafe<Value = unknown> {
  '~unsafe': Value;
}
export interface TString {
  '~kind': 'String';
}
export interface TNumber {
  '~kind': 'Number';
}
export interface TInteger {
  '~kind': 'Integer';
}
export interface TBoolean {
  '~kind': 'Boolean';
}
export type TOptional<Schema extends TSchema = TSchema> = Schema & { '~optional': true };

type OptionalKeys<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { '~optional': true } ? Name : never;
}[keyof Fields];

type StaticFields<Fields, Late extends keyof Fields = OptionalKeys<Fields>> = {
  [Name in keyof Result<Fields, Late>]: Result<Fields, Late>[Name];
};
type Result<Fields, Late extends keyof Fields> = {
  -readonly [Name in Exclude<keyof Fields, Late>]: Static<Fields[Name]>;
} & { -readonly [Name in Late]?: Static<Fields[Name]> };

export type Static<Schema> =
  Schema extends TUnsafe<infer Value>
    ? Value
    : Schema extends TObject<infer Fields>
      ? keyof Fields extends never
        ? object
        : StaticFields<Fields>
      : Schema extends TArray<infer Item>
        ? Static<Item>[]
        : Schema extends TUnion<infer Choices>
          ? { [At in keyof Choices]: Static<Choices[At]> }[number]
          : Schema extends TLiteral<infer Value>
            ? Value
            : Schema extends TString
              ? string
              : Schema extends TNumber | TInteger
                ? number
                : Schema extends TBoolean
                  ? boolean
                  : unknown;

/** How declarations name `Static` where they can't name its alias. */
export type StaticType<_Stack, _Direction, _Context, _This, Schema> = Static<Schema>;
