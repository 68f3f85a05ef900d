import type { BackOfficeRestaurant, Schedules } from '@servery/contract';
import { useEffect, useId, useState } from 'preact/hooks';
import { restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Awaited, Back, PageHead } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, ErrorPanel } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { fieldFaults, noFaults } from '../../platform/faults.ts';
import { formatDated, formatExactly, language } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { loadRestaurants, restaurants } from '../../platform/restaurants.ts';
import { call, holds, isRefused } from '../../platform/session.ts';
import { Area } from './area.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import {
  type Clash,
  clashesOf,
  type Draft,
  draftOf,
  hasDrafts,
  patchOf,
  rebased,
  setDraft,
  valueAt,
  withBlock,
  withEdit,
} from './draft.ts';
import { AREA, parsed, SCHEDULES, type TabId, tabIds, tabOf } from './fields.ts';
import { Form } from './form.tsx';
import { type Unit, usualUnit } from './geometry.ts';
import { mayArchive } from './groups.ts';
import { arranged, keysOf, missingTimes } from './hours.ts';
import { Hours } from './hours.tsx';

const EVERY_MS = 5_000;

export function OneRestaurant({ guid }: { readonly guid: string }) {
  const { query, change } = useAddress();
  const params = { restaurantGuid: guid };
  const { state, refresh } = useLive<BackOfficeRestaurant>(
    guid,
    () => call('backOffice.restaurants.get', { params }),
    EVERY_MS,
  );
  const { value: current, error, isLive } = state.value;
  const draft = draftOf(guid);
  const tab = tabIds.find((id) => id === query.tab) ?? 'general';
  useEffect(() => warnBeforeLeaving(), []);
  const back = restaurants.value.length > 1 && (
    <Back to="restaurants" query={{ restaurant: null }}>
      {texts.title}
    </Back>
  );
  if (!current) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const restaurant = draft?.base ?? current;
  const { archived, locationName, timeZone } = current.general;
  const isReadOnly = archived || !holds('restaurants.admin:write', guid);
  const edit = (path: string, typed: unknown) =>
    setDraft(guid, withEdit(draftOf(guid), current, path, typed));
  const show = (id: TabId) => change({ tab: id === 'general' ? null : id });
  return (
    <div class="stack">
      {back}
      <PageHead
        title={current.general.name}
        beside={archived && <Badge>{texts.archived}</Badge>}
        about={
          <span title={formatExactly(current.modifiedAt, timeZone)}>
            {locationName && `${locationName} · `}
            {texts.changedAt(formatDated(current.modifiedAt, timeZone))}
          </span>
        }
        isLive={isLive}
      >
        <ArchiveButton restaurant={current} onDone={refresh} />
      </PageHead>
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {isReadOnly && <p class="soft">{archived ? texts.isArchived : texts.readOnly}</p>}
      {draft && current.version > draft.base.version && (
        <p class="panel warn" role="status">
          {texts.changedMeanwhile}
        </p>
      )}
      <Tabs
        label={texts.tabs.label}
        tabs={tabIds.map((id) => [
          id,
          faultsIn(draft, id) > 0 ? `${texts.tabs[id]} (!)` : texts.tabs[id],
        ])}
        chosen={tab}
        onChoose={(id) => show(id as TabId)}
      >
        <fieldset class="plain stack" disabled={isReadOnly} aria-label={texts.tabs[tab]}>
          <Form tab={tab} restaurant={restaurant} draft={draft} onEdit={edit} />
          {tab === 'hours' && (
            <Hours
              schedules={schedulesOf(restaurant, draft)}
              faults={draft?.faults ?? noFaults}
              onChange={(schedules) => edit(SCHEDULES, schedules)}
            />
          )}
        </fieldset>
        {tab === 'delivery' && (
          <DeliveryArea
            restaurant={restaurant}
            current={current}
            draft={draft}
            isReadOnly={isReadOnly}
            onEdit={edit}
          />
        )}
      </Tabs>
      {draft && !isReadOnly && (
        <SaveBar
          guid={guid}
          draft={draft}
          onShow={show}
          onSaved={() => {
            refresh();
            loadRestaurants().catch(() => {});
          }}
        />
      )}
    </div>
  );
}

function warnBeforeLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (hasDrafts()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

function faultsIn(draft: Draft | null, tab: TabId): number {
  return [...(draft?.faults ?? noFaults).keys()].filter((place) => tabOf(place) === tab).length;
}

function schedulesOf(restaurant: BackOfficeRestaurant, draft: Draft | null): Schedules {
  return (draft?.edits.get(SCHEDULES) as Schedules | undefined) ?? restaurant.schedules;
}

interface DeliveryAreaProps {
  readonly restaurant: BackOfficeRestaurant;
  readonly current: BackOfficeRestaurant;
  readonly draft: Draft | null;
  readonly isReadOnly: boolean;
  readonly onEdit: (path: string, typed: unknown) => void;
}

function DeliveryArea({ restaurant, current, draft, isReadOnly, onEdit }: DeliveryAreaProps) {
  const { query, change } = useAddress();
  const usual = usualUnit(language);
  const unit: Unit = query.unit === 'km' || query.unit === 'mi' ? query.unit : usual;
  const [latitude, longitude] = ['location.latitude', 'location.longitude'].map((path) =>
    draft?.edits.has(path) ? parsed(path, draft.edits.get(path)) : valueAt(restaurant, path),
  );
  const isPlaced = typeof latitude === 'number' && typeof longitude === 'number';
  const area = draft?.edits.has(AREA) ? draft.edits.get(AREA) : restaurant.delivery.area;
  const { guid } = restaurant;
  return (
    <Area
      area={area as string | null}
      restaurant={isPlaced ? [latitude, longitude] : null}
      unit={unit}
      onUnit={(chosen) => change({ unit: chosen === usual ? null : chosen })}
      fault={draft?.faults.get(AREA)}
      isReadOnly={isReadOnly}
      onChange={(changed) => onEdit(AREA, changed)}
      onBlock={(fault) => {
        if ((draftOf(guid)?.blocks.get(AREA) ?? null) === fault) return;
        setDraft(guid, withBlock(draftOf(guid), current, AREA, fault));
      }}
    />
  );
}

interface SaveBarProps {
  readonly guid: string;
  readonly draft: Draft;
  readonly onShow: (tab: TabId) => void;
  readonly onSaved: () => void;
}

/** How often others may change the restaurant between two readings before the person is asked. */
const ATTEMPTS = 3;

function SaveBar({ guid, draft, onShow, onSaved }: SaveBarProps) {
  const [failure, setFailure] = useState<unknown>(null);
  const [clash, setClash] = useState<{
    readonly newest: BackOfficeRestaurant;
    readonly clashes: readonly Clash[];
  } | null>(null);
  const id = useId();
  const tell = (faults: ReadonlyMap<string, string>) => {
    const kept = draftOf(guid);
    if (kept) setDraft(guid, { ...kept, faults });
    const [place] = [...faults.keys()].filter((each) => tabOf(each) !== null);
    const tab = place === undefined ? null : tabOf(place);
    if (tab) onShow(tab);
  };
  const save = async () => {
    setFailure(null);
    const ready = arrangeHours(draftOf(guid) ?? draft);
    const wrong = faultsOf(ready);
    if (wrong.size > 0) {
      tell(wrong);
      return;
    }
    setDraft(guid, { ...ready, faults: noFaults });
    try {
      await send(ready, ATTEMPTS);
    } catch (error) {
      const faults = fieldFaults(error);
      tell(faults);
      const areAllShown = faults.size > 0 && [...faults.keys()].every((place) => tabOf(place));
      setFailure(areAllShown ? null : error);
    }
  };
  const send = async (ready: Draft, attempts: number): Promise<void> => {
    const params = { restaurantGuid: guid };
    try {
      await call('backOffice.restaurants.update', { params, body: patchOf(ready) });
      setDraft(guid, null);
      say(texts.saved);
      onSaved();
    } catch (error) {
      if (!isRefused(error, 409) || attempts === 0) throw error;
      const newest = await call('backOffice.restaurants.get', { params });
      if (newest.version === ready.base.version) throw error;
      const clashes = clashesOf(ready, newest);
      if (clashes.length > 0) setClash({ newest, clashes });
      // Others changed other fields: nobody's work is lost.
      else await send(rebased(ready, newest, new Set()), attempts - 1);
    }
  };
  const settle = async (theirs: ReadonlySet<string>) => {
    if (!clash) return;
    const next = rebased(draftOf(guid) ?? draft, clash.newest, theirs);
    setDraft(guid, next);
    setClash(null);
    if (next.edits.size === 0) onSaved();
    else await save();
  };
  const { edits, blocks } = draft;
  return (
    <div class="save-bar">
      {failure !== null && <ErrorPanel error={failure} />}
      <div class="spread">
        <span role="status">
          {[...blocks.values()][0] ??
            (draft.faults.size > 0 ? texts.faulty : texts.unsaved(edits.size))}
        </span>
        <form id={id} class="row" onSubmit={(event) => event.preventDefault()}>
          <Button
            kind="quiet"
            onClick={() => {
              setDraft(guid, null);
            }}
          >
            {texts.discard}
          </Button>
          <Button kind="main" type="submit" disabled={blocks.size > 0} onClick={save}>
            {texts.save}
          </Button>
        </form>
      </div>
      {clash && (
        <ClashDialog clashes={clash.clashes} onSettle={settle} onClose={() => setClash(null)} />
      )}
    </div>
  );
}

/** Services in their order, so that faults stand where the platform names them. */
function arrangeHours(draft: Draft): Draft {
  const schedules = draft.edits.get(SCHEDULES) as Schedules | undefined;
  if (!schedules) return draft;
  const closeout = draft.edits.get('general.closeoutHour') ?? draft.base.general.closeoutHour;
  const daySchedules = { ...schedules.daySchedules };
  for (const key of keysOf(schedules)) {
    const day = daySchedules[key];
    const isUntouched =
      JSON.stringify(day) === JSON.stringify(draft.base.schedules.daySchedules[key]);
    if (day && !isUntouched) daySchedules[key] = arranged(day, Number(closeout));
  }
  return { ...draft, edits: new Map(draft.edits).set(SCHEDULES, { ...schedules, daySchedules }) };
}

/** What can be seen to be wrong without asking the platform. */
function faultsOf({ edits }: Draft): ReadonlyMap<string, string> {
  const faults = [...edits].flatMap(([path, typed]): [string, string][] => {
    if (path === SCHEDULES) return missingTimes(typed as Schedules, texts.hours.timeFault);
    return parsed(path, typed) === undefined ? [[path, texts.numberFault]] : [];
  });
  return new Map(faults);
}

interface ArchiveButtonProps {
  readonly restaurant: BackOfficeRestaurant;
  readonly onDone: () => void;
}

function ArchiveButton({ restaurant, onDone }: ArchiveButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { guid, general } = restaurant;
  const { archived, name } = general;
  if (!mayArchive(general.managementGroupGuid)) return null;
  const words = archived ? texts.unarchive : texts.archive;
  const confirm = async () => {
    const params = { restaurantGuid: guid };
    if (archived) await call('backOffice.restaurants.unarchive', { params });
    else await call('backOffice.restaurants.archive', { params });
    say(words.done(name));
    setOpen(false);
    onDone();
    loadRestaurants().catch(() => {});
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.button}</Button>
      {isOpen && (
        <Confirm
          title={words.title(name)}
          action={words.button}
          kind={!archived ? 'danger' : 'main'}
          run={confirm}
          onClose={() => setOpen(false)}
        >
          <p>{words.more}</p>
        </Confirm>
      )}
    </>
  );
}
