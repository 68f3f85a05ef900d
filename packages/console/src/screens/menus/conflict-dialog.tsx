import type { ConfigurationObject } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Catalog } from './catalog.ts';
import { valueText } from './differences.tsx';
import { forms } from './form.ts';
import type { Fields } from './values.ts';
import { labelOf } from './words.tsx';

/** What two people have changed in the same object. */
export interface Conflict {
  readonly mine: Fields;
  readonly theirs: ConfigurationObject;
  /** The names of the fields that both changed. */
  readonly fields: readonly string[];
}

export interface ConflictDialogProps {
  readonly catalog: Catalog;
  readonly collection: string;
  readonly currency: string;
  readonly conflict: Conflict;
  readonly onClose: () => void;
  /** With the names of the fields that are to be as this person typed them. */
  readonly onChoose: (mine: readonly string[]) => unknown;
}

/** Both values of each field: nobody's work is lost without a decision. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { catalog, collection, currency, conflict, onClose, onChoose } = props;
  const { mine, theirs, fields } = conflict;
  const [chosen, setChosen] = useState<readonly string[]>(fields);
  const who = theirs.draft?.modifiedByName ?? texts.somebody;
  const text = (name: string, object: Fields) => {
    const field = forms[collection]?.fields.find((each) => each.name === name);
    return valueText({ catalog, collection, currency }, field, object[name] ?? null);
  };
  return (
    <Dialog title={texts.conflictTitle} onClose={onClose} isWide>
      <p>{texts.conflict(who)}</p>
      {fields.map((name) => (
        <fieldset key={name} class="conflict">
          <legend>{labelOf(name)}</legend>
          {[
            { id: 'mine', label: texts.mine, value: text(name, mine) },
            { id: 'theirs', label: texts.theirs(who), value: text(name, theirs.object) },
          ].map(({ id, label, value }) => (
            <label key={id}>
              <input
                type="radio"
                name={`conflict-${name}`}
                checked={chosen.includes(name) === (id === 'mine')}
                onChange={() =>
                  setChosen([
                    ...chosen.filter((each) => each !== name),
                    ...(id === 'mine' ? [name] : []),
                  ])
                }
              />
              <span>
                <span class="soft small">{label}</span>
                <span class="conflict-value">{value}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button kind="main" onClick={() => onChoose(chosen)}>
          {texts.saveChosen}
        </Button>
      </div>
    </Dialog>
  );
}
