import type {
  ConfigurationDraft,
  DraftedObject,
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  ResolvedMenuGroup,
  ResolvedMenuItem,
} from '@servery/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { type Option, Select } from '../../parts/field.tsx';
import { Badge, Empty, ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { formatMoney } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { after } from '../../platform/present.ts';
import { call, isRefused } from '../../platform/session.ts';
import { ChangeBadge } from './words.tsx';

const EVERY_MS = 60_000;
/** Below a modifier, guests rarely choose more; menus may go round in circles. */
const MOST_LEVELS = 3;
const DRAWN_AT_ONCE = 100;

export interface GuestsProps {
  readonly restaurantGuid: string;
  /** The menus are read again when it changes. */
  readonly draft: ConfigurationDraft;
  readonly currency: string;
}

/** The menus with all drafts, as guests would see them in one channel. */
export function Guests({ restaurantGuid, draft, currency }: GuestsProps) {
  const { state, refresh } = useLive<MenusDocument>(
    `guests ${draft.state}`,
    () => call('backOffice.configuration.draft.menus', { params: { restaurantGuid } }),
    EVERY_MS,
  );
  const { value: document, error } = state.value;
  if (isRefused(error, 404))
    return (
      <Empty title={texts.empty('Tree')}>
        <p>{texts.emptyMore}</p>
      </Empty>
    );
  if (error !== null) return <ErrorPanel error={error} onRetry={refresh} />;
  if (!document) return <Skeleton lines={12} />;
  return <GuestMenus {...{ document, draft, currency }} />;
}

interface GuestMenusProps extends Pick<GuestsProps, 'draft' | 'currency'> {
  readonly document: MenusDocument;
}

function GuestMenus({ document, draft, currency }: GuestMenusProps) {
  const { query, change } = useAddress();
  const channel = query.channel ?? 'ORDERING_PARTNERS';
  const view = useMemo((): View => {
    const drafted = new Map(draft.results.map((each) => [each.guid, each.change] as const));
    const isShown: IsShown = ({ visibility }) => visibility.includes(channel);
    const touched = touchedIn(document.menus, drafted, isShown);
    return { document, currency, isShown, drafted, touched };
  }, [document, draft.state, currency, channel]);
  const { isShown, drafted, touched } = view;
  const isTouched = ({ guid }: { readonly guid: string }) => touched.has(guid);
  const shown = document.menus.filter(isShown);
  const menu = shown.find(({ guid }) => guid === query.menu) ?? shown.find(isTouched) ?? shown[0];
  const groups = menu?.menuGroups.filter(isShown) ?? [];
  const first = groups.find(isTouched) ?? groups[0];
  return (
    <div class="stack">
      <p class="soft">
        {texts.guests.about} {drafted.size > 0 && touched.size === 0 && texts.guests.none}
      </p>
      <div class="filters">
        <Select
          label={texts.guests.channel}
          value={channel}
          onValue={(id) => change({ channel: id, menu: null })}
          options={channelsOf(document)}
        />
        {menu && (
          <Select
            label={texts.guests.menu}
            value={menu.guid}
            onValue={(guid) => change({ menu: guid })}
            options={shown.map(
              ({ guid, name }): Option => [
                guid,
                touched.has(guid) ? texts.guests.changed(name) : name,
              ],
            )}
          />
        )}
      </div>
      {!menu && (
        <Empty title={texts.guests.hidden}>
          <p>{texts.guests.hiddenMore}</p>
        </Empty>
      )}
      {menu && (
        <article class="card stack" aria-label={menu.name}>
          <div class="row">
            <h2>{menu.name}</h2>
            <ChangeBadge change={drafted.get(menu.guid) ?? null} />
          </div>
          {menu.description && <p class="soft">{menu.description}</p>}
          {groups.map((group) => (
            <Group key={group.guid} group={group} view={view} isOpen={group === first} />
          ))}
        </article>
      )}
    </div>
  );
}

type IsShown = (shown: { readonly visibility: readonly string[] }) => boolean;

interface View {
  readonly document: MenusDocument;
  readonly currency: string;
  readonly isShown: IsShown;
  readonly drafted: ReadonlyMap<string, DraftedObject['change']>;
  /** The menus and groups that are drafted, or have something drafted in them. */
  readonly touched: ReadonlySet<string>;
}

function touchedIn(
  menus: MenusDocument['menus'],
  drafted: View['drafted'],
  isShown: IsShown,
): ReadonlySet<string> {
  const touched = new Set<string>();
  const noteGroups = (groups: readonly ResolvedMenuGroup[]) =>
    groups.filter(isShown).filter(noteGroup).length > 0;
  const noteGroup = ({ guid, menuGroups, menuItems }: ResolvedMenuGroup): boolean => {
    const isInside = noteGroups(menuGroups);
    const isDrafted = (item: ResolvedMenuItem) => isShown(item) && drafted.has(item.guid);
    const is = isInside || drafted.has(guid) || menuItems.some(isDrafted);
    if (is) touched.add(guid);
    return is;
  };
  for (const { guid, menuGroups } of menus) {
    if (noteGroups(menuGroups) || drafted.has(guid)) touched.add(guid);
  }
  return touched;
}

interface GroupProps {
  readonly group: ResolvedMenuGroup;
  readonly view: View;
  readonly isOpen?: boolean;
}

/** Draws what is in it once it is open: a menu may have tens of thousands of items. */
function Group({ group, view, isOpen = false }: GroupProps) {
  const [open, setOpen] = useState(isOpen);
  const items = group.menuItems.filter(view.isShown);
  const inner = group.menuGroups.filter(view.isShown);
  const firstTouched = inner.find(({ guid }) => view.touched.has(guid));
  const own = view.drafted.get(group.guid);
  return (
    <details class="change" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{group.name}</strong>
        {own ? (
          <ChangeBadge change={own} />
        ) : (
          view.touched.has(group.guid) && <Badge tone="info">{texts.guests.inside}</Badge>
        )}
      </summary>
      {open && (
        <div class="guests-group">
          {group.description && <p class="soft">{group.description}</p>}
          <Items items={items} view={view} />
          {inner.map((each) => (
            <Group key={each.guid} group={each} view={view} isOpen={each === firstTouched} />
          ))}
        </div>
      )}
    </details>
  );
}

interface ItemsProps {
  readonly items: readonly ResolvedMenuItem[];
  readonly view: View;
}

/** Draws one part after the other: a group may have a thousand items, and the page must not stop. */
function Items({ items, view }: ItemsProps) {
  const [drawn, setDrawn] = useState(1);
  // A part that is the same object is not drawn again.
  const parts = useMemo(() => partsOf(items, view), [items, view]);
  useEffect(() => {
    if (drawn < parts.length) return after(0, () => setDrawn(drawn + 1));
  }, [drawn, parts.length]);
  return <>{parts.slice(0, drawn)}</>;
}

function partsOf(items: readonly ResolvedMenuItem[], view: View) {
  return Array.from({ length: Math.ceil(items.length / DRAWN_AT_ONCE) }, (_, index) => (
    <Part
      key={index}
      items={items.slice(index * DRAWN_AT_ONCE, (index + 1) * DRAWN_AT_ONCE)}
      view={view}
    />
  ));
}

function Part({ items, view }: ItemsProps) {
  return (
    <>
      {items.map((item) => (
        <Item key={item.guid} item={item} view={view} />
      ))}
    </>
  );
}

function Item({ item, view }: { readonly item: ResolvedMenuItem; readonly view: View }) {
  const [open, setOpen] = useState(false);
  const groups = groupsOf(item, view);
  const head = (
    <span class="guests-line">
      <span>
        {item.name} <ChangeBadge change={view.drafted.get(item.guid) ?? null} />
        {item.description && <span class="under soft small">{item.description}</span>}
      </span>
      <span class="number">{priceOf(item, view)}</span>
    </span>
  );
  if (groups.length === 0) return <div class="guests-item">{head}</div>;
  return (
    <details class="change guests-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {open && <Choices groups={groups} view={view} level={1} />}
    </details>
  );
}

interface ChoicesProps {
  readonly groups: readonly ModifierGroup[];
  readonly view: View;
  readonly level: number;
}

function Choices({ groups, view, level }: ChoicesProps) {
  return (
    <ul class="guests-choices">
      {groups.map((group) => (
        <li key={group.referenceId}>
          <strong>{group.name}</strong> <span class="soft small">{limitsOf(group)}</span>
          <ul>
            {optionsOf(group, view).map((option) => (
              <li key={option.referenceId}>
                <span class="guests-line">
                  <span>
                    {option.name} <ChangeBadge change={view.drafted.get(option.guid) ?? null} />
                    {option.isDefault && <span class="soft small"> {texts.guests.included}</span>}
                  </span>
                  <span class="number">{option.price !== 0 && priceOf(option, view)}</span>
                </span>
                {level < MOST_LEVELS && (
                  <Choices groups={groupsOf(option, view)} view={view} level={level + 1} />
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function groupsOf(
  { modifierGroupReferences }: Pick<ResolvedMenuItem, 'modifierGroupReferences'>,
  { document, isShown }: View,
): readonly ModifierGroup[] {
  return modifierGroupReferences
    .map((reference) => document.modifierGroupReferences[reference])
    .filter((group) => group !== undefined)
    .filter(isShown);
}

function optionsOf(
  { modifierOptionReferences }: ModifierGroup,
  { document, isShown }: View,
): readonly ModifierOption[] {
  return modifierOptionReferences
    .map((reference) => document.modifierOptionReferences[reference])
    .filter((option) => option !== undefined)
    .filter(isShown);
}

type Priced = Pick<ResolvedMenuItem, 'price' | 'pricingRules'> & {
  readonly pricingStrategy: ModifierOption['pricingStrategy'];
};

function priceOf({ price, pricingStrategy, pricingRules }: Priced, { currency }: View): string {
  if (price !== null) return formatMoney(price, currency);
  if (pricingStrategy === 'OPEN_PRICE') return texts.guests.openPrice;
  if (pricingStrategy === 'GROUP_PRICE') return '';
  const sizes = (pricingRules?.sizeSequencePricingRules ?? []).map(
    ({ sizeName, sequencePrices: [first] }) =>
      [sizeName, first && formatMoney(first.price, currency)].filter(Boolean).join(' '),
  );
  return sizes.length === 0 ? texts.noPrice : sizes.join(' · ');
}

function limitsOf({ requiredMode, minSelections, maxSelections }: ModifierGroup): string {
  const least = requiredMode === 'REQUIRED' ? Math.max(1, minSelections) : minSelections;
  return texts.guests.limits(least, maxSelections);
}

function channelsOf({ menus }: MenusDocument) {
  const named: Readonly<Record<string, string>> = texts.guests.channels;
  const seen = new Set([...Object.keys(named), ...menus.flatMap(({ visibility }) => visibility)]);
  return [...seen].map((value): Option => [value, named[value] ?? texts.guests.ownChannel]);
}
