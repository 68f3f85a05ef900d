import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { sayFailed } from '../../parts/toast.tsx';
import { Empty, Skeleton } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { useTyped } from '../../platform/typed.ts';
import { type Catalog, keyOf, type Place, pageSizeOf } from './catalog.ts';
import { forms } from './form.ts';
import { listRows, type Row, treeRows } from './rows.ts';
import { Tree } from './tree.tsx';
import { ChangeBadge, collectionLabel, kindLabel, priceInWords } from './words.tsx';

const TREE = 'tree';
/** What a search in the tree looks through. */
const SEARCHED = ['menus', 'menuGroups', 'menuItems', 'menuOptionGroups'];
/** As many open rows fit an address. */
const OPEN_AT_MOST = 25;

export interface ListPaneProps {
  readonly catalog: Catalog;
  /** Of all drafts: lists are read again when it changes. */
  readonly draftState: string;
  readonly currency: string;
  readonly mayChange: boolean;
  readonly chosen: string | null;
}

/** The tree of menus, or one kind of objects, with find as you type. */
export function ListPane(props: ListPaneProps) {
  const { catalog, draftState, currency, mayChange, chosen } = props;
  const { query, change, go } = useAddress();
  const { list = TREE, find = '' } = query;
  const [typed, type] = useTyped('find');
  const isTree = list === TREE && find === '';
  const found = useFound(catalog, { list, find, isArchived: query.archived === '1' }, draftState);
  const roots = useRoots(catalog, isTree, draftState);
  const open = useMemo(() => query.open?.split('.') ?? [], [query.open]);
  const version = catalog.version.value;
  const places = isTree ? roots : found.places;
  const rows = useMemo(() => {
    if (places === null) return listRows([]);
    return isTree ? treeRows(catalog, places, open) : listRows(places);
  }, [places, open, version, isTree]);
  const toggle = ({ guid }: Row) => {
    const now = open.includes(guid) ? open.filter((each) => each !== guid) : [...open, guid];
    change({ open: now.slice(-OPEN_AT_MOST).join('.') });
  };
  const kept = { restaurant: query.restaurant, list: query.list, open: query.open, find };
  const kinds = list === TREE ? SEARCHED : [list];
  return (
    <section class="menus-list" aria-label={texts.tree}>
      <div class="menus-tools">
        <Field label={texts.find} type="search" value={typed} onValue={type} />
        <Select
          label={texts.show}
          value={list}
          onValue={(value) => change({ list: value === TREE ? null : value, archived: null })}
          options={[
            [TREE, texts.tree],
            ...Object.keys(forms).map((value): Option => [value, collectionLabel(value)]),
          ]}
        />
        {mayChange && (
          <div>
            <Menu label={texts.new} icon="down">
              {kinds.map((collection) => (
                <a key={collection} class="item" href={hrefOf(`menus/${collection}/new`, kept)}>
                  {kindLabel(collection)}
                </a>
              ))}
            </Menu>
          </div>
        )}
        {list !== TREE && (
          <Button
            aria-pressed={query.archived === '1'}
            onClick={() => change({ archived: query.archived === '1' ? null : '1' })}
          >
            {texts.archivedOnes}
          </Button>
        )}
      </div>
      {places === null && <Skeleton lines={10} />}
      {places?.length === 0 && (
        <Empty title={find === '' ? texts.empty(collectionLabel(list)) : texts.noneFit}>
          {find === '' && <p>{isTree ? texts.emptyMore : texts.emptyKind}</p>}
        </Empty>
      )}
      {rows.length > 0 && (
        <Tree
          label={isTree ? texts.tree : collectionLabel(list)}
          rows={rows}
          chosen={chosen}
          onToggle={toggle}
          onChoose={({ collection, guid }) => go(`menus/${collection}/${guid}`, kept)}
          onSight={(shown) => catalog.want(shown)}
          onEnd={isTree ? undefined : found.more}
        >
          {(row) => <RowContent row={row} isMixed={list === TREE} {...{ catalog, currency }} />}
        </Tree>
      )}
    </section>
  );
}

function RowContent({
  row,
  catalog,
  currency,
  isMixed,
}: {
  readonly row: Row;
  readonly catalog: Catalog;
  readonly currency: string;
  readonly isMixed: boolean;
}) {
  const known = catalog.get(row);
  if (known === undefined) return <span class="soft">…</span>;
  if (known === null) return <span class="soft">{texts.gone}</span>;
  const { collection, name, change, isArchived, pricing } = known;
  return (
    <>
      <span class="tree-name">
        {name ?? kindLabel(collection)}
        {isMixed && collection !== 'menuItems' && (
          <span class="soft small"> {kindLabel(collection)}</span>
        )}
      </span>
      {catalog.unsaved.has(keyOf(row)) && <span class="badge warn">{texts.unsaved}</span>}
      <ChangeBadge change={change} />
      {isArchived && change === null && <span class="badge">{texts.archived}</span>}
      <span class="tree-price number">{priceInWords(pricing, currency)}</span>
    </>
  );
}

function useRoots(catalog: Catalog, isWanted: boolean, draftState: string) {
  const [roots, setRoots] = useState<readonly Place[] | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    catalog.readRoots().then((found) => isCurrent && setRoots(found), sayFailed);
    return () => {
      isCurrent = false;
    };
  }, [catalog, isWanted, draftState]);
  return roots;
}

interface Filter {
  readonly list: string;
  readonly find: string;
  readonly isArchived: boolean;
}

/** A list by pages; a search in the tree looks through four collections at once. */
function useFound(catalog: Catalog, filter: Filter, draftState: string) {
  const { list, find, isArchived } = filter;
  const key = JSON.stringify(filter);
  const isWanted = list !== TREE || find !== '';
  const [state, setState] = useState<{
    readonly key: string;
    readonly places: readonly Place[];
    readonly next: string | null;
  } | null>(null);
  const loading = useRef<string | null>(null);
  const query = { archived: isArchived, ...(find !== '' && { name: find }) };
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const collections = list === TREE ? SEARCHED : [list];
    Promise.all(
      collections.map((each) => catalog.list(each, { ...query, pageSize: pageSizeOf(each) })),
    ).then((answers) => {
      if (!isCurrent) return;
      loading.current = null;
      const places = answers.flatMap(({ results }) => placesByName(results, find));
      const next = list === TREE ? null : (answers[0]?.nextPageToken ?? null);
      // What was read behind the first page stays.
      setState((before) => {
        const isSame = before?.key === key && before.places.length > places.length;
        return isSame ? before : { key, places, next };
      });
    }, sayFailed);
    return () => {
      isCurrent = false;
    };
  }, [catalog, key, draftState]);
  const current = state?.key === key ? state : null;
  const more = () => {
    const pageToken = current?.next;
    if (!current || !pageToken || loading.current === pageToken) return;
    loading.current = pageToken;
    catalog.list(list, { ...query, pageSize: pageSizeOf(list), pageToken }).then(
      ({ results, nextPageToken }) => {
        if (loading.current !== pageToken) return;
        setState({
          key,
          places: [...current.places, ...placesByName(results, '')],
          next: nextPageToken,
        });
      },
      (error) => {
        loading.current = null;
        sayFailed(error);
      },
    );
  };
  return { places: isWanted ? (current?.places ?? null) : null, more };
}

/** Those that begin with what was typed come first. */
function placesByName(
  results: readonly (Place & { readonly name: string | null })[],
  find: string,
): readonly Place[] {
  const wanted = find.toLocaleLowerCase();
  const rank = ({ name }: { readonly name: string | null }) =>
    name?.toLocaleLowerCase().startsWith(wanted) ? 0 : 1;
  return results
    .toSorted(
      (one, other) => rank(one) - rank(other) || (one.name ?? '').localeCompare(other.name ?? ''),
    )
    .map(({ collection, guid }) => ({ collection, guid }));
}
