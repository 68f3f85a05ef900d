import type { ComponentChildren } from 'preact';
import { common } from '../messages.ts';
import type { Listed } from '../platform/pages.ts';
import { Button } from './button.tsx';
import { Table, type TableProps } from './table.tsx';
import { Empty, Reading } from './told.tsx';

export interface ListProps<Row> extends Omit<TableProps<Row>, 'rows' | 'onEnd'> {
  readonly list: Pick<Listed<Row>, 'rows' | 'error' | 'refresh' | 'loadMore'>;
  readonly texts: {
    readonly empty: string;
    readonly emptyMore: string;
    /** Makes the first row in a terminal. */
    readonly emptyCommand?: string;
    readonly noneFit?: string;
  };
  /** Makes the first row here. */
  readonly start?: ComponentChildren;
  /** Null if no filter is set. */
  readonly onClear?: (() => void) | null;
  /** Above the rows. */
  readonly children?: ComponentChildren;
}

/** Rows that are read by pages, or why there are none. */
export function List<Row>(props: ListProps<Row>) {
  const { list, texts, start, onClear = null, children, ...table } = props;
  const { rows, error, refresh, loadMore } = list;
  return (
    <>
      <Reading value={rows} error={error} onRetry={refresh} />
      {rows?.length === 0 &&
        (onClear ? (
          <Empty title={texts.noneFit ?? texts.empty}>
            <Button onClick={onClear}>{common.clear}</Button>
          </Empty>
        ) : (
          <Empty title={texts.empty}>
            <p>{texts.emptyMore}</p>
            {texts.emptyCommand && <code>{texts.emptyCommand}</code>}
            {start}
          </Empty>
        ))}
      {rows && rows.length > 0 && (
        <>
          {children}
          <Table {...table} rows={rows} onEnd={loadMore} />
        </>
      )}
    </>
  );
}
