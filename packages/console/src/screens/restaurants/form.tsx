import type { BackOfficeRestaurant } from '@servery/contract';
import { restaurants as texts } from '../../messages.ts';
import { Check } from '../../parts/checks.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import { type Draft, valueAt } from './draft.ts';
import { type FieldKind, type FieldPath, formOf, type TabId, typedOf } from './fields.ts';

export interface FormProps {
  readonly tab: TabId;
  readonly restaurant: BackOfficeRestaurant;
  readonly draft: Draft | null;
  readonly onEdit: (path: string, typed: unknown) => void;
}

const zones = Intl.supportedValuesOf('timeZone');
const LATEST_CLOSEOUT = 12;

/** The plain fields of a tab, in groups. */
export function Form({ tab, ...rest }: FormProps) {
  return (
    <>
      {formOf[tab].map(({ id, fields }) => (
        <Card key={id} title={texts.groups[id]}>
          <div class="form-grid">
            {fields.map(({ path, kind }) => (
              <OneField key={path} path={path} kind={kind} {...rest} />
            ))}
          </div>
        </Card>
      ))}
      <datalist id="time-zones">
        {tab === 'general' && zones.map((zone) => <option key={zone} value={zone} />)}
      </datalist>
    </>
  );
}

interface OneFieldProps extends Omit<FormProps, 'tab'> {
  readonly path: FieldPath;
  readonly kind: FieldKind;
}

function OneField({ path, kind, restaurant, draft, onEdit }: OneFieldProps) {
  const typed = draft?.edits.has(path)
    ? draft.edits.get(path)
    : typedOf(path, valueAt(restaurant, path));
  const hints: Readonly<Partial<Record<FieldPath, string>>> = texts.hints;
  const about = {
    label: texts.fields[path],
    hint: hints[path],
    fault: draft?.faults.get(path),
  };
  const edit = (value: unknown) => onEdit(path, value);
  const text = typeof typed === 'string' ? typed : '';
  switch (kind) {
    case 'flag':
      return <Check {...about} isOn={typed === true} onChange={edit} />;
    case 'long':
      return (
        <div class="whole-line">
          <TextArea {...about} value={text} onValue={edit} />
        </div>
      );
    case 'approval':
      return (
        <Select {...about} value={text} onValue={edit} options={Object.entries(texts.approvals)} />
      );
    case 'hour':
      return (
        <Select
          {...about}
          value={text}
          onValue={edit}
          options={Array.from({ length: LATEST_CLOSEOUT + 1 }, (_, hour) => [
            String(hour),
            texts.hour(hour),
          ])}
        />
      );
    case 'day':
      return <Field {...about} type="date" value={text} onValue={edit} />;
    case 'whole':
      return <Field {...about} inputmode="numeric" value={text} onValue={edit} />;
    case 'decimal':
      return <Field {...about} inputmode="decimal" value={text} onValue={edit} />;
    case 'phone':
      return <Field {...about} inputmode="tel" value={text} onValue={edit} />;
    case 'address':
      return <Field {...about} inputmode="url" value={text} onValue={edit} />;
    case 'currency':
      return (
        <Field {...about} maxLength={3} value={text} onValue={(code) => edit(code.toUpperCase())} />
      );
    case 'zone':
      return <Field {...about} list="time-zones" value={text} onValue={edit} />;
    default:
      return <Field {...about} value={text} onValue={edit} />;
  }
}
