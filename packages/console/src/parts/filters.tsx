import type { ComponentChildren } from 'preact';
import { common } from '../messages.ts';
import { useAddress } from '../platform/address.ts';
import { useTyped } from '../platform/typed.ts';
import { Field, type FieldProps, Select, type SelectProps } from './field.tsx';

/** What narrows a list. It is in the address. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  return (
    <search class="filters" aria-label={common.filters}>
      {children}
    </search>
  );
}

export interface SelectFilterProps extends Pick<SelectProps, 'label' | 'options'> {
  /** Of the parameter. */
  readonly name: string;
  /** What is chosen if the address does not say. */
  readonly initial?: string;
}

export function SelectFilter({ name, initial = '', ...shown }: SelectFilterProps) {
  const { query, change } = useAddress();
  return (
    <Select
      {...shown}
      value={query[name] ?? initial}
      onValue={(value) => change({ [name]: value === initial ? null : value })}
    />
  );
}

export interface TextFilterProps extends Omit<FieldProps, 'value' | 'onValue' | 'fault'> {
  readonly name: string;
  /** Other texts do not filter. */
  readonly pattern?: Pick<RegExp, 'test'>;
  /** What is said of them. */
  readonly wrong?: string;
}

export function TextFilter({ name, pattern, wrong, ...shown }: TextFilterProps) {
  const fits = (text: string) => pattern === undefined || pattern.test(text.trim());
  const [text, type] = useTyped(name, fits);
  return (
    <Field
      {...shown}
      value={text}
      fault={text.trim() === '' || fits(text) ? null : `${wrong} ${common.notFiltered}`}
      onValue={type}
    />
  );
}
