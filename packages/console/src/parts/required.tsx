import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FaultyForm } from './confirm.tsx';
import { Field, type FieldProps } from './field.tsx';

type RequiredProps = Pick<FieldProps, 'label' | 'hint' | 'maxLength' | 'autofocus'> & {
  /** What is said if nothing was typed. */
  readonly fault: string;
};

/** A field that must be filled in, and a function that reads it or throws `FaultyForm`. */
export function useRequired(props: RequiredProps): [field: JSX.Element, read: () => string] {
  const { fault, ...shown } = props;
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const read = () => {
    const given = text.trim();
    setMissing(given === '');
    if (given === '') throw new FaultyForm();
    return given;
  };
  const field = (
    <Field {...shown} value={text} fault={isMissing ? fault : null} onValue={setText} />
  );
  return [field, read];
}
