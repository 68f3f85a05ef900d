import { signal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { common } from '../messages.ts';
import { useAddress } from '../platform/address.ts';
import { useTyped } from '../platform/typed.ts';
import { Button } from './button.tsx';
import { Field, type FieldProps, Select, type SelectProps } from './field.tsx';

/** More would be higher than one line on a phone. */
const NEVER_FOLDED = 2;

const isUnfolded = signal(false);

/** For what sets all filters at once. */
export function foldFilters(): void {
  isUnfolded.value = false;
}

/** What narrows a list. It is in the address. On a phone, many filters are behind one button. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  const { query } = useAddress();
  const id = useId();
  useEffect(foldFilters, []);
  const names = toChildArray(children).flatMap((child) =>
    typeof child === 'object' && 'name' in child.props ? [String(child.props.name)] : [],
  );
  const isFoldable = names.length > NEVER_FOLDED;
  const isFolded = isFoldable && !isUnfolded.value;
  return (
    <search aria-label={common.filters}>
      {isFoldable && (
        <Button
          class="fold"
          icon="down"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => {
            isUnfolded.value = isFolded;
          }}
        >
          {common.filtersUsed(names.filter((name) => query[name]).length)}
        </Button>
      )}
      <div id={id} class={isFolded ? 'filters folded' : 'filters'}>
        {children}
      </div>
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
