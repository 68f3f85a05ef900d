import type { ConfigurationDraft, ConfigurationPreview, DraftedObject } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { Empty, ErrorPanel, Reading, Skeleton } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
import { formatMoney, formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { type Catalog, keyOf } from './catalog.ts';
import { Differences, FieldDifferences, guidsOf } from './differences.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { ObjectLink } from './picker.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { isFields } from './values.ts';
import { ChangeBadge, collectionLabel, kindLabel, labelOf, priceInWords } from './words.tsx';

/** A preview looks at the whole configuration: it is read again when the drafts change. */
const PREVIEW_EVERY_MS = 60_000;
const SHOWN = 50;

export interface DraftsProps {
  readonly catalog: Catalog;
  readonly draft: ConfigurationDraft;
  readonly currency: string;
  readonly timeZone: string;
  readonly onChanged: () => void;
}

/** What has been changed and by whom, what publishing it would do, and publishing. */
export function Drafts({ catalog, draft, currency, timeZone, onChanged }: DraftsProps) {
  const { restaurantGuid } = catalog;
  const [discarded, setDiscarded] = useState<readonly DraftedObject[] | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  const params = { restaurantGuid };
  const { state, refresh } = useLive<ConfigurationPreview>(
    `preview ${draft.state}`,
    () => call('backOffice.configuration.draft.preview', { params }),
    PREVIEW_EVERY_MS,
  );
  const { value: preview, error } = state.value;
  const mayChange = holds('configuration:write', restaurantGuid);
  const mayPublish = holds('configuration:publish', restaurantGuid);
  const { results } = draft;
  if (results.length === 0) {
    return (
      <Empty title={texts.noDrafts}>
        <p>{texts.noDraftsMore}</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <div class="spread">
        <p>{texts.draftCount(results.length)}</p>
        <div class="row">
          {mayChange && <Button onClick={() => setDiscarded(results)}>{texts.discardAll}</Button>}
          {mayPublish && (
            <Button
              kind="main"
              disabled={!preview?.isPublishable}
              onClick={() => setPublishing(true)}
            >
              {texts.publish}
            </Button>
          )}
        </div>
      </div>
      <section class="stack" aria-label={texts.drafts}>
        <DraftList
          {...{ catalog, currency, timeZone, results }}
          {...(mayChange && { onDiscard: (one: DraftedObject) => setDiscarded([one]) })}
        />
      </section>
      <Reading value={preview} error={error} onRetry={refresh} lines={5} />
      {preview && <Preview {...{ catalog, preview, currency, results }} />}
      {discarded && (
        <DiscardDialog
          {...{ catalog, onChanged }}
          drafts={discarded}
          onClose={() => setDiscarded(null)}
          onDone={() => setDiscarded(null)}
        />
      )}
      {isPublishing && preview && (
        <PublishDialog
          {...{ catalog, draft, preview }}
          onClose={() => setPublishing(false)}
          onChanged={() => {
            refresh();
            onChanged();
          }}
        />
      )}
    </div>
  );
}

interface DraftListProps extends Pick<DraftsProps, 'catalog' | 'currency' | 'timeZone'> {
  readonly results: readonly DraftedObject[];
  readonly onDiscard?: (draft: DraftedObject) => void;
}

function DraftList({ catalog, currency, timeZone, results, onDiscard }: DraftListProps) {
  const [most, setMost] = useState(SHOWN);
  return (
    <>
      <ul class="card-list">
        {results.slice(0, most).map((each) => (
          <li key={keyOf(each)} class="card">
            <div class="spread">
              <div>
                <div class="row">
                  <ObjectLink catalog={catalog} place={each} />
                  <ChangeBadge change={each.change} />
                </div>
                <p class="soft small">
                  {kindLabel(each.collection)} ·{' '}
                  {texts.changedBy(
                    each.draft.modifiedByName ?? texts.somebody,
                    formatNear(each.draft.modifiedAt, nowMs.peek(), timeZone),
                  )}
                  {each.draft.isOutdated && ` · ${texts.outdated}`}
                </p>
              </div>
              {onDiscard && (
                <Button
                  kind="quiet"
                  aria-label={texts.discardOne(each.name ?? kindLabel(each.collection))}
                  onClick={() => onDiscard(each)}
                >
                  {texts.discard}
                </Button>
              )}
            </div>
            <OwnDifferences {...{ catalog, currency, each }} />
          </li>
        ))}
      </ul>
      {results.length > most && (
        <Button onClick={() => setMost(most + 4 * SHOWN)}>{common.more}</Button>
      )}
    </>
  );
}

/** Of all fields, also of those that partners don't see: read when somebody asks. */
function OwnDifferences({
  catalog,
  currency,
  each,
}: Pick<DraftsProps, 'catalog' | 'currency'> & { readonly each: DraftedObject }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small">{texts.whatChanged}</summary>
      {isOpen && <ReadDifferences key={each.draft.revision} {...{ catalog, currency, each }} />}
    </details>
  );
}

function ReadDifferences({
  catalog,
  currency,
  each,
}: Pick<DraftsProps, 'catalog' | 'currency'> & { readonly each: DraftedObject }) {
  const { collection, guid } = each;
  const [sides, setSides] = useState<readonly [object, object] | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const params = { restaurantGuid: catalog.restaurantGuid, collection, guid };
    call('backOffice.configuration.objects.get', { params }).then(
      ({ published, object }) => setSides([published ?? {}, object]),
      setError,
    );
  }, [guid]);
  if (error) return <ErrorPanel error={error} />;
  if (!sides) return <Skeleton lines={2} />;
  const [before, after] = sides;
  return (
    <FieldDifferences
      {...{ catalog, collection, currency }}
      isNew={each.change === 'CREATE'}
      before={{ ...before }}
      after={{ ...after }}
    />
  );
}

interface PreviewProps extends Pick<DraftListProps, 'catalog' | 'currency' | 'results'> {
  readonly preview: ConfigurationPreview;
}

function Preview({ catalog, preview, currency, results }: PreviewProps) {
  const { faults, faultCount, menus, changes, changeCount } = preview;
  const places = new Map(results.map((each, index) => [keyOf(each), index]));
  const placeOf = (change: (typeof changes)[number]) => places.get(keyOf(change)) ?? places.size;
  const seen = new Set(changes.map(keyOf));
  // Beyond the changes that the platform lists, nobody knows which drafts partners see.
  const unseen =
    changeCount > changes.length ? [] : results.filter((each) => !seen.has(keyOf(each)));
  const unseenNames = unseen.map(({ collection, name }) => name ?? kindLabel(collection));
  return (
    <>
      {faultCount > 0 && (
        <div class="panel" role="alert">
          <h2>{texts.fixFirst(faultCount)}</h2>
          <Remarks catalog={catalog} remarks={faults} />
        </div>
      )}
      {menus.warningCount > 0 && (
        <div class="panel warn">
          <h2>{texts.warnings(menus.warningCount)}</h2>
          <Remarks catalog={catalog} remarks={menus.warnings} />
        </div>
      )}
      <Card title={texts.guestsSee}>
        <p class="soft small">
          {!menus.isChanged
            ? texts.guestsSame
            : menus.priceChangeCount === 0
              ? texts.guestsSeePrices
              : texts.guestsSeeMore}
        </p>
        <PriceChanges menus={menus} currency={currency} />
      </Card>
      <Card title={texts.partnersSee}>
        <p class="soft small">{changeCount === 0 ? texts.partnersSame : texts.partnersSeeMore}</p>
        <ChangeList
          {...{ catalog, currency }}
          changes={changes.toSorted((one, other) => placeOf(one) - placeOf(other))}
          isLinked
        />
        {changeCount > changes.length && <p>{texts.others(changeCount - changes.length)}</p>}
        {unseen.length > 0 && (
          <p class="soft small">{texts.partnersUnseen(texts.listed(unseenNames))}</p>
        )}
      </Card>
    </>
  );
}

function Remarks({
  catalog,
  remarks,
}: {
  readonly catalog: Catalog;
  readonly remarks: ConfigurationPreview['faults'];
}) {
  return (
    <ul class="plain-list">
      {remarks.map(({ collection, guid, field, message }) => (
        <li key={`${collection}/${guid}/${field}/${message}`}>
          {guid ? (
            <ObjectLink catalog={catalog} place={{ collection, guid }} />
          ) : (
            collectionLabel(collection)
          )}
          {field && `, ${labelOf(field.split(/[.[]/)[0] ?? field)}`}: {message}
        </li>
      ))}
    </ul>
  );
}

function PriceChanges({
  menus: { priceChanges, priceChangeCount },
  currency,
}: Pick<ConfigurationPreview, 'menus'> & { readonly currency: string }) {
  const [most, setMost] = useState(SHOWN);
  if (priceChanges.length === 0) return null;
  const money = (amount: number | null) =>
    amount === null ? texts.noPrice : formatMoney(amount, currency);
  return (
    <>
      <ul class="price-changes">
        {priceChanges.slice(0, most).map((each) => (
          <li key={`${each.menu}/${each.group}/${each.itemGuid}/${each.size}`}>
            <span>
              {each.item}
              {each.size && `, ${each.size}`}
              <span class="under soft small">
                {each.menu} › {each.group}
              </span>
            </span>
            <span class="number">
              <del>{money(each.oldPrice)}</del> → <ins>{money(each.newPrice)}</ins>
            </span>
          </li>
        ))}
      </ul>
      {priceChanges.length > most && (
        <Button onClick={() => setMost(most + 4 * SHOWN)}>{common.more}</Button>
      )}
      {priceChangeCount > priceChanges.length && (
        <p>{texts.others(priceChangeCount - priceChanges.length)}</p>
      )}
    </>
  );
}

export interface ChangeListProps extends Pick<DraftsProps, 'catalog' | 'currency'> {
  readonly changes: readonly (Pick<
    ConfigurationPreview['changes'][number],
    'collection' | 'guid' | 'name' | 'fields'
  > & { readonly kind: keyof typeof texts.changes })[];
  readonly isLinked?: boolean;
}

/** Objects with their differences, field by field. */
export function ChangeList({ catalog, currency, changes, isLinked = false }: ChangeListProps) {
  const [most, setMost] = useState(SHOWN);
  const groups = groupsIn(changes);
  return (
    <>
      {changes.slice(0, most).map(({ collection, guid, name, kind, fields }) => (
        <details key={`${collection}/${guid}`} class="change" open={changes.length === 1}>
          <summary>
            <span class="row">
              <strong>{name ?? kindLabel(collection)}</strong>
              <ChangeBadge change={kind} />
              <span class="soft small">
                {[
                  kindLabel(collection),
                  ...(isNew(kind)
                    ? [groups.get(guid), priceInWords(pricingIn(fields), currency)]
                    : []),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
          </summary>
          <Differences
            {...{ catalog, collection, currency }}
            isNew={isNew(kind)}
            changes={fields}
          />
          {isLinked && (
            <ObjectLink catalog={catalog} place={{ collection, guid }} label={texts.open} />
          )}
        </details>
      ))}
      {changes.length > most && (
        <Button onClick={() => setMost(most + 4 * SHOWN)}>{common.more}</Button>
      )}
    </>
  );
}

type Change = ChangeListProps['changes'][number];

function isNew(kind: Change['kind']): boolean {
  return kind === 'CREATE' || kind === 'ADDED';
}

function afterOf(fields: Change['fields'], name: string): unknown {
  return fields.find(({ field }) => field === name)?.after;
}

function pricingIn(fields: Change['fields']) {
  const pricing = afterOf(fields, 'pricing');
  return isFields(pricing) ? pricing : null;
}

/** The name of the group that takes each item. */
function groupsIn(changes: readonly Change[]): ReadonlyMap<string, string | null> {
  return new Map(
    changes
      .filter(({ collection }) => collection === 'menuGroups')
      .flatMap(({ name, fields }) =>
        guidsOf(afterOf(fields, 'items')).map((guid) => [guid, name] as const),
      ),
  );
}
