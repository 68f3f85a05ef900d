import { menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/checks.tsx';
import { Field, type Option, Select, TextArea } from '../../parts/field.tsx';
import { Fault } from '../../parts/told.tsx';
import type { Catalog } from './catalog.ts';
import type { FormField } from './form.ts';
import { References } from './picker.tsx';
import { counts, type Fields, initialOf, isPercent, typed } from './values.ts';
import { choiceLabel, hintText, labelOf, ownLabel } from './words.tsx';

/** What all fields of a form share. */
export interface FormContext {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly isReadOnly: boolean;
  /** By path, as the interface tells them. */
  readonly faults: ReadonlyMap<string, string>;
}

interface FieldProps {
  readonly context: FormContext;
  readonly field: FormField;
  readonly path: string;
  readonly value: unknown;
  /** The fields of the same object. */
  readonly beside: Fields;
  readonly onValue: (value: unknown) => void;
}

export interface FieldListProps {
  readonly context: FormContext;
  readonly fields: readonly FormField[];
  /** The collection, or the name of the field that these are in. */
  readonly within: string;
  readonly path: string;
  readonly values: Fields;
  readonly onValues: (values: Fields) => void;
}

export function FieldList({ context, fields, within, path, values, onValues }: FieldListProps) {
  return (
    <>
      {fields
        .filter(({ name }) => counts(within, name, values))
        .map((field) => (
          <OneField
            key={field.name}
            context={context}
            field={field}
            path={path === '' ? field.name : `${path}.${field.name}`}
            value={values[field.name]}
            beside={values}
            onValue={(value) => onValues({ ...values, [field.name]: value })}
          />
        ))}
    </>
  );
}

function OneField(props: FieldProps) {
  const { context, field, path, value, beside, onValue } = props;
  const { faults } = context;
  const label = labelOf(field.name);
  const about = { label, hint: hintText(field.hint), fault: faults.get(path) ?? null };
  switch (field.kind) {
    case 'words':
      return <TextArea {...about} value={textOf(value)} onValue={onValue} />;
    case 'whole':
    case 'decimal':
    case 'money':
    case 'share': {
      const unit = unitOf(field, beside, context.currency);
      const named = { ...about, label: unit ? `${label} (${unit})` : label };
      return (
        <Field
          {...named}
          inputmode="decimal"
          value={typed(field, value, beside)}
          onValue={onValue}
        />
      );
    }
    case 'flag':
      return field.isNullable ? (
        <Choice {...props} choices={[true, false]} />
      ) : (
        <Check {...about} isOn={value === true} onChange={onValue} />
      );
    case 'choice':
      return <Choice {...props} choices={field.choices ?? []} />;
    case 'time':
      return <Field {...about} type="time" value={textOf(value)} onValue={onValue} />;
    case 'choices':
    case 'reference':
    case 'references':
    case 'object':
    case 'list':
      return <Group {...props} />;
    default:
      return (
        <Field
          {...about}
          {...(field.maxLength !== undefined && { maxLength: field.maxLength })}
          value={textOf(value)}
          onValue={onValue}
        />
      );
  }
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function unitOf(field: FormField, beside: Fields, currency: string): string {
  if (field.kind === 'money') return currency;
  if (field.kind !== 'share') return '';
  return isPercent(field, beside) ? '%' : currency;
}

function Choice(props: FieldProps & { readonly choices: readonly unknown[] }) {
  const { context, field, path, value, onValue, choices } = props;
  const own = String(value ?? '');
  const words = field.words?.[own];
  const options = choices.map(
    (choice): Option => [
      String(choice),
      typeof choice === 'boolean' ? (choice ? texts.yes : texts.no) : choiceLabel(String(choice)),
    ],
  );
  return (
    <Select
      label={labelOf(field.name)}
      hint={hintText(words ? `${capital(words)}.` : field.hint)}
      fault={context.faults.get(path)}
      value={own}
      onValue={(text) =>
        onValue(text === '' ? null : (choices.find((choice) => String(choice) === text) ?? text))
      }
      options={field.isNullable ? [['', texts.notSet], ...options] : options}
    />
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A field that has fields or entries of its own. One that can be null is first asked for. */
function Group(props: FieldProps) {
  const { context, field, path, value, onValue } = props;
  const label = labelOf(field.name);
  const isAsked = field.isNullable && field.kind !== 'reference';
  const isSet = value !== null && value !== undefined;
  const fault = context.faults.get(path);
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      {field.hint && <p class="hint">{hintText(field.hint)}</p>}
      {isAsked && (
        <Check
          label={ownLabel(field.name)}
          about={label}
          isOn={isSet}
          onChange={(isOn) => onValue(isOn ? initialOf(bare(field)) : null)}
        />
      )}
      <Fault>{fault}</Fault>
      {(isSet || !isAsked) && <Inside {...props} />}
    </fieldset>
  );
}

function bare({ isNullable: _, ...field }: FormField): FormField {
  return field;
}

function Inside(props: FieldProps) {
  const { context, field, path, value, onValue } = props;
  const { catalog, isReadOnly, faults } = context;
  const label = labelOf(field.name);
  switch (field.kind) {
    case 'object':
      return (
        <FieldList
          context={context}
          fields={field.fields ?? []}
          within={field.name}
          path={path}
          values={(value ?? {}) as Fields}
          onValues={onValue}
        />
      );
    case 'choices':
      return <Choices {...props} />;
    case 'reference':
    case 'references': {
      const isOne = field.kind === 'reference';
      const guids = isOne ? [value].filter(Boolean) : value;
      const inside = [...faults].filter(([at]) => at.startsWith(`${path}[`));
      return (
        <>
          {inside.map(([at, fault]) => (
            <p key={at} class="fault" role="alert">
              {fault}
            </p>
          ))}
          <References
            catalog={catalog}
            collection={field.target ?? ''}
            label={label}
            guids={(guids ?? []) as readonly string[]}
            isOne={isOne}
            canBeEmpty={field.isNullable === true}
            isReadOnly={isReadOnly}
            onChange={(chosen) => onValue(isOne ? (chosen[0] ?? null) : chosen)}
          />
        </>
      );
    }
    default:
      return <Elements {...props} />;
  }
}

function Choices({ field, value, onValue }: FieldProps) {
  const chosen = (value ?? []) as readonly string[];
  return (
    <div class="form-checks">
      {(field.choices ?? []).map((choice) => (
        <Check
          key={choice}
          label={choiceLabel(choice)}
          isOn={chosen.includes(choice)}
          onChange={(isOn) =>
            onValue(
              // In the order of the contract.
              (field.choices ?? []).filter((each) =>
                each === choice ? isOn : chosen.includes(each),
              ),
            )
          }
        />
      ))}
    </div>
  );
}

function Elements({ context, field, path, value, onValue }: FieldProps) {
  const { of } = field;
  const elements = (value ?? []) as readonly unknown[];
  if (!of) return null;
  const put = (at: number, element: unknown) => onValue(elements.with(at, element));
  return (
    <>
      {elements.map((element, at) => {
        const inside = `${path}[${at}]`;
        const fault = context.faults.get(inside);
        return (
          <div key={at} class="form-element">
            <div class="form-element-fields">
              {fault && of.kind === 'object' && (
                <p class="fault" role="alert">
                  {fault}
                </p>
              )}
              {of.kind === 'object' ? (
                <FieldList
                  context={context}
                  fields={of.fields ?? []}
                  within={field.name}
                  path={inside}
                  values={element as Fields}
                  onValues={(values) => put(at, values)}
                />
              ) : (
                <OneField
                  context={context}
                  field={{ ...of, name: texts.numbered(labelOf(field.name), at + 1) }}
                  path={inside}
                  value={element}
                  beside={{}}
                  onValue={(own) => put(at, own)}
                />
              )}
            </div>
            {!context.isReadOnly && (
              <Button
                kind="quiet"
                icon="close"
                aria-label={texts.takeOut(texts.numbered(labelOf(field.name), at + 1))}
                onClick={() => onValue(elements.toSpliced(at, 1))}
              />
            )}
          </div>
        );
      })}
      {!context.isReadOnly && (
        <Button onClick={() => onValue([...elements, initialOf(of)])}>
          {texts.addTo(labelOf(field.name))}
        </Button>
      )}
    </>
  );
}
