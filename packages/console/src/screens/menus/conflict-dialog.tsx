import type { ConfigurationObject } from '@servery/contract';
import { menus as texts } from '../../messages.ts';
import { Conflict } from '../../parts/conflict.tsx';
import type { Catalog } from './catalog.ts';
import { valueText } from './differences.tsx';
import { forms } from './form.ts';
import type { Fields } from './values.ts';
import { labelOf } from './words.tsx';

/** What two people have changed in the same object. */
export interface Contest {
  readonly mine: Fields;
  readonly theirs: ConfigurationObject;
  /** The names of the fields that both changed. */
  readonly fields: readonly string[];
}

export interface ConflictDialogProps {
  readonly catalog: Catalog;
  readonly collection: string;
  readonly currency: string;
  readonly conflict: Contest;
  readonly onClose: () => void;
  /** With the names of the fields that are to be as this person typed them. */
  readonly onChoose: (mine: readonly string[]) => unknown;
}

/** For what two people have changed in the same object. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { catalog, collection, currency, conflict, onClose, onChoose } = props;
  const { mine, theirs, fields } = conflict;
  const text = (name: string, object: Fields) => {
    const field = forms[collection]?.fields.find((each) => each.name === name);
    return valueText({ catalog, collection, currency }, field, object[name] ?? null);
  };
  return (
    <Conflict
      by={theirs.draft?.modifiedByName ?? texts.somebody}
      fields={fields.map((name) => ({
        ...{ name, label: labelOf(name) },
        ...{ mine: text(name, mine), theirs: text(name, theirs.object) },
      }))}
      run={async (left) => onChoose(fields.filter((name) => !left.has(name)))}
      onClose={onClose}
    />
  );
}
