import './conflict.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { common, conflict as texts } from '../messages.ts';
import { Confirm } from './confirm.tsx';

interface Contested {
  readonly name: string;
  readonly label: string;
  readonly mine: ComponentChildren;
  readonly theirs: ComponentChildren;
}

export interface ConflictProps {
  /** Who was first, if that is known. */
  readonly by?: string;
  readonly fields: readonly Contested[];
  /** With the names of the fields that stay as somebody else set them. */
  readonly run: (theirs: ReadonlySet<string>) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Two people changed the same fields: nobody's work is lost without a decision. */
export function Conflict({ by, fields, run, onClose }: ConflictProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
  };
  return (
    <Confirm
      title={texts.title}
      text={texts.text}
      action={texts.save}
      keep={common.back}
      run={() => run(theirs)}
      onClose={onClose}
      isWide
    >
      {fields.map(({ name, label, mine, theirs: other }) => (
        <fieldset key={name} class="conflict">
          <legend>{label}</legend>
          {[
            { isTheirs: false, side: texts.mine, value: mine },
            { isTheirs: true, side: by ? texts.by(by) : texts.theirs, value: other },
          ].map(({ isTheirs, side, value }) => (
            <label key={side} class={theirs.has(name) === isTheirs ? 'chosen' : undefined}>
              <input
                type="radio"
                name={`conflict ${name}`}
                checked={theirs.has(name) === isTheirs}
                onChange={() => choose(name, isTheirs)}
              />
              <span>
                <span class="soft small">{side}</span>
                <span class="value">{value}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </Confirm>
  );
}
