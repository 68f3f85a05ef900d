import { useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { Confirm, type ConfirmProps } from '../../parts/confirm.tsx';
import { TextArea } from '../../parts/field.tsx';

export interface NoteDialogProps extends Omit<ConfirmProps, 'run'> {
  /** At first. */
  readonly note?: string;
  readonly run: (note: { readonly note?: string }) => Promise<unknown>;
}

/** Asks before something is published, with a note for the history. */
export function NoteDialog({ note: first = '', run, children, ...rest }: NoteDialogProps) {
  const [note, setNote] = useState(first);
  const text = note.trim();
  return (
    <Confirm {...rest} run={() => run(text ? { note: text } : {})}>
      {children}
      <TextArea label={texts.note} hint={texts.noteHint} value={note} onValue={setNote} />
    </Confirm>
  );
}
