import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { sayFailed } from '../../parts/toast.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { after } from '../../platform/present.ts';
import { call } from '../../platform/session.ts';
import { type Catalog, type Known, type Place, pageSizeOf } from './catalog.ts';
import { forms } from './form.ts';
import { kindLabel } from './words.tsx';

const TYPING_MS = 200;
const FOUND = 8;
const SHOWN = 20;

interface PickerProps {
  readonly catalog: Catalog;
  readonly collection: string;
  readonly label: string;
  /** Already there: not offered. */
  readonly without: readonly string[];
  readonly onPick: (guid: string) => void;
}

/** Finds an object by its name, or drafts a new one with that name. */
function Picker({ catalog, collection, label, without, onPick }: PickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<readonly Known[] | null>(null);
  const [chosen, setChosen] = useState(0);
  const asked = useRef(0);
  useEffect(() => {
    if (!isOpen) return;
    asked.current += 1;
    const own = asked.current;
    return after(TYPING_MS, () => {
      const name = text.trim();
      const query = { archived: false, pageSize: pageSizeOf(collection), ...(name && { name }) };
      catalog.list(collection, query).then(({ results }) => {
        if (own !== asked.current) return;
        const known = results.flatMap((each) => catalog.get(each) ?? []);
        setFound(known.toSorted((one, other) => closeness(one, name) - closeness(other, name)));
      }, sayFailed);
    });
  }, [text, isOpen, collection]);
  const offered = (found ?? []).filter(({ guid }) => !without.includes(guid)).slice(0, FOUND);
  const name = text.trim();
  const isNew = name !== '' && found !== null && !found.some((each) => each.name === name);
  const canMake = isNew && canBeNamed(collection);
  const count = offered.length + (canMake ? 1 : 0);
  const close = () => {
    setOpen(false);
    setText('');
    setFound(null);
    setChosen(0);
  };
  const pick = (guid: string) => {
    close();
    onPick(guid);
  };
  const choose = async (at: number) => {
    const known = offered[at];
    if (known) return pick(known.guid);
    if (!canMake) return;
    const params = { restaurantGuid: catalog.restaurantGuid, collection };
    try {
      const made = await call('backOffice.configuration.objects.create', {
        params,
        body: { name },
      });
      catalog.put([made]);
      pick(made.guid);
    } catch (error) {
      sayFailed(error);
    }
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count > 0) setChosen((chosen + step + count) % count);
    else if (event.key === 'Enter') void choose(chosen);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label={label}
        aria-expanded={isOpen && count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && count > 0 ? `${id}-${chosen}` : undefined}
        placeholder={texts.addByName}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        class="picker-list"
        hidden={!isOpen || count === 0}
      >
        {isOpen &&
          Array.from({ length: count }, (_, at) => (
            <div
              key={offered[at]?.guid ?? 'new'}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              // Before the input loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                void choose(at);
              }}
            >
              {offered[at]?.name ?? texts.makeNew(kindLabel(collection), name)}
            </div>
          ))}
      </div>
    </div>
  );
}

function closeness({ name }: Known, wanted: string): number {
  const at = (name ?? '').toLocaleLowerCase().indexOf(wanted.toLocaleLowerCase());
  return at === 0 ? 0 : 1;
}

/** Whether a name is all that a new one needs. */
function canBeNamed(collection: string): boolean {
  const { fields = [] } = forms[collection] ?? {};
  const required = fields.filter(({ isRequired, kind }) => isRequired && kind !== 'object');
  return required.length === 1 && required[0]?.name === 'name';
}

export interface ReferencesProps {
  readonly catalog: Catalog;
  readonly collection: string;
  readonly label: string;
  readonly guids: readonly string[];
  /** A list can be sorted and added to; of one reference, there is at most one. */
  readonly isOne: boolean;
  readonly canBeEmpty: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (guids: readonly string[]) => void;
}

/** Other objects by their names. */
export function References(props: ReferencesProps) {
  const { catalog, collection, label, guids, isOne, canBeEmpty, isReadOnly, onChange } = props;
  const [most, setMost] = useState(SHOWN);
  const shown = guids.slice(0, most);
  const version = catalog.version.value;
  useEffect(() => {
    catalog.want(shown.map((guid) => ({ collection, guid })));
  }, [guids, most, version]);
  const without = (at: number) => guids.filter((_, index) => index !== at);
  const pressed = useRef<HTMLButtonElement | null>(null);
  // A row that moves in the page loses the focus, and at an end one of its buttons is off.
  useLayoutEffect(() => {
    const row = pressed.current?.closest('li');
    const other = row?.querySelector<HTMLButtonElement>('button:enabled');
    (pressed.current?.disabled ? other : pressed.current)?.focus();
    pressed.current = null;
  }, [guids]);
  const moves = [
    { icon: 'up', by: -1, say: texts.moveUp },
    { icon: 'down', by: 1, say: texts.moveDown },
  ] as const;
  return (
    <div class="references">
      {guids.length > 0 && (
        <ol aria-label={label}>
          {shown.map((guid, at) => (
            <li key={guid}>
              <ObjectLink catalog={catalog} place={{ collection, guid }} />
              {!isReadOnly &&
                guids.length > 1 &&
                moves.map(({ icon, by, say }) => (
                  <Button
                    key={icon}
                    kind="quiet"
                    icon={icon}
                    aria-label={say(nameOf(catalog, { collection, guid }))}
                    disabled={guids[at + by] === undefined}
                    onClick={(event) => {
                      pressed.current = event.currentTarget as HTMLButtonElement;
                      onChange(without(at).toSpliced(at + by, 0, guid));
                    }}
                  />
                ))}
              {!isReadOnly && (!isOne || canBeEmpty) && (
                <Button
                  kind="quiet"
                  icon="close"
                  aria-label={texts.takeOut(nameOf(catalog, { collection, guid }))}
                  onClick={() => onChange(without(at))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {guids.length > most && (
        <Button kind="quiet" onClick={() => setMost(most * 4)}>
          {common.more} ({guids.length - most})
        </Button>
      )}
      {!isReadOnly && (
        <Picker
          catalog={catalog}
          collection={collection}
          label={isOne && guids.length > 0 ? texts.chooseOther(label) : texts.addTo(label)}
          without={guids}
          onPick={(guid) => onChange(isOne ? [guid] : [...guids, guid])}
        />
      )}
    </div>
  );
}

export function nameOf(catalog: Catalog, place: Place): string {
  const known = catalog.get(place);
  const planned = catalog.plannedNames.get(place.guid);
  return known?.name ?? planned ?? (known === null ? texts.gone : '…');
}

export function ObjectLink({
  catalog,
  place,
  label,
}: {
  readonly catalog: Catalog;
  readonly place: Place;
  /** Its name if it is absent. */
  readonly label?: string;
}) {
  const { query } = useAddress();
  const { collection, guid } = place;
  const version = catalog.version.value;
  useEffect(() => catalog.want([place]), [guid, version]);
  const kept = { restaurant: query.restaurant, list: query.list, open: query.open };
  return (
    <a href={hrefOf(`menus/${collection}/${guid}`, kept)}>{label ?? nameOf(catalog, place)}</a>
  );
}
