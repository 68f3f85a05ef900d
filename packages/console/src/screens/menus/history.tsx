import type { Publication, PublicationDetails } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Back } from '../../parts/page.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { Badge, Empty, ErrorPanel, Reading, Skeleton, sayError } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { formatInstant } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds, isRefused } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { ChangeList } from './drafts.tsx';
import { NoteDialog } from './note-dialog.tsx';

const PAGE = 50;
const EVERY_MS = 10_000;

export interface HistoryProps {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly timeZone: string;
  readonly publishNumber: number;
  readonly onChanged: () => void;
}

/** Every publication, newest first, and the way back to each. */
export function History(props: HistoryProps) {
  const { query } = useAddress();
  const number = Number(query.publication);
  if (Number.isInteger(number) && number > 0) {
    return <OnePublication key={number} number={number} {...props} />;
  }
  return <PublicationList key={props.publishNumber} {...props} />;
}

function PublicationList({ catalog, timeZone }: HistoryProps) {
  const { query } = useAddress();
  const params = { restaurantGuid: catalog.restaurantGuid };
  const list = (pageToken?: string) =>
    call('backOffice.configuration.publications.list', {
      params,
      query: { pageSize: PAGE, pageToken },
    });
  const [older, setOlder] = useState<readonly Publication[]>([]);
  const [next, setNext] = useState<string | null | undefined>(undefined);
  const { state, refresh } = useLive(catalog.restaurantGuid, () => list(), EVERY_MS);
  const { value, error } = state.value;
  if (!value) {
    return error ? <ErrorPanel error={error} onRetry={refresh} /> : <Skeleton lines={8} />;
  }
  const rows = [...value.results, ...older];
  const token = next === undefined ? value.nextPageToken : next;
  if (rows.length === 0) {
    return (
      <Empty title={texts.noHistory}>
        <p>{texts.noHistoryMore}</p>
      </Empty>
    );
  }
  const more = async () => {
    try {
      const page = await list(token ?? undefined);
      setOlder([...older, ...page.results]);
      setNext(page.nextPageToken);
    } catch (failure) {
      sayFailed(failure);
    }
  };
  return (
    <div class="stack">
      <ol class="card-list">
        {rows.map((each) => (
          <li key={each.number} class="card">
            <div class="row">
              <a
                href={hrefOf('menus', {
                  restaurant: query.restaurant,
                  tab: 'history',
                  publication: String(each.number),
                })}
              >
                {texts.publication(each.number)}
              </a>
              <Badge tone={each.cause === 'ROLLED_BACK' ? 'warn' : 'plain'}>
                {texts.causes[each.cause]}
              </Badge>
            </div>
            <PublicationFacts publication={each} timeZone={timeZone} />
          </li>
        ))}
      </ol>
      {token && <Button onClick={more}>{common.more}</Button>}
    </div>
  );
}

function PublicationFacts({
  publication: { publishedAt, publishedByName, note, counts, rolledBackTo },
  timeZone,
}: {
  readonly publication: Publication;
  readonly timeZone: string;
}) {
  return (
    <div>
      {note && <p>{note}</p>}
      {rolledBackTo !== null && <p>{texts.rolledBackTo(rolledBackTo)}</p>}
      <p class="soft small">
        {formatInstant(publishedAt, timeZone)} · {publishedByName ?? texts.system} ·{' '}
        {texts.counts(counts.added, counts.changed, counts.removed)}
      </p>
    </div>
  );
}

function OnePublication(props: HistoryProps & { readonly number: number }) {
  const { catalog, currency, timeZone, publishNumber, number, onChanged } = props;
  const { query, go } = useAddress();
  const [isAsking, setAsking] = useState(false);
  const [value, setValue] = useState<PublicationDetails | null>(null);
  const [error, setError] = useState<unknown>(null);
  const read = () => {
    const params = { restaurantGuid: catalog.restaurantGuid, number };
    setError(null);
    call('backOffice.configuration.publications.get', { params }).then(setValue, setError);
  };
  useEffect(read, []);
  const back = { restaurant: query.restaurant, tab: 'history', publication: null };
  return (
    <div class="stack">
      <Back to="menus" query={back}>
        {texts.tabs.history}
      </Back>
      <Reading value={value} error={error} onRetry={read} lines={6} />
      {value && (
        <>
          <div class="page-head">
            <div class="row">
              <h2>{texts.publication(number)}</h2>
              <Badge>{texts.causes[value.cause]}</Badge>
            </div>
            {number < publishNumber && holds('configuration:publish', catalog.restaurantGuid) && (
              <Button onClick={() => setAsking(true)}>{texts.rollBack}</Button>
            )}
          </div>
          <PublicationFacts publication={value} timeZone={timeZone} />
          {value.changeCount === 0 && <p class="soft">{texts.noChanges}</p>}
          <section class="stack" aria-label={texts.whatChanged}>
            <ChangeList {...{ catalog, currency }} changes={value.changes} />
          </section>
          {value.changeCount > value.changes.length && (
            <p>{texts.others(value.changeCount - value.changes.length)}</p>
          )}
        </>
      )}
      {isAsking && (
        <RollBackDialog
          {...{ catalog, number, publishNumber }}
          onClose={() => setAsking(false)}
          onDone={() => {
            onChanged();
            go('menus', back);
          }}
        />
      )}
    </div>
  );
}

interface RollBackDialogProps extends Pick<HistoryProps, 'catalog' | 'publishNumber'> {
  readonly number: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RollBackDialog(props: RollBackDialogProps) {
  const { catalog, number, publishNumber, onClose, onDone } = props;
  const [expectedNumber] = useState(publishNumber);
  const rollBack = async (note: object) => {
    const params = { restaurantGuid: catalog.restaurantGuid, number };
    const body = { expectedNumber, ...note };
    const made = await call('backOffice.configuration.publications.rollBack', { params, body });
    say(texts.rolledBack(number, made.number));
    onDone();
  };
  const sayFailure = (error: unknown) =>
    isRefused(error, 409) ? `${texts.publishedMeanwhile} ${error.message}` : sayError(error);
  return (
    <NoteDialog
      title={texts.rollBackTitle(number)}
      text={texts.rollBackMore(publishNumber - number)}
      action={texts.rollBackNow}
      kind="danger"
      run={rollBack}
      sayFailure={sayFailure}
      onClose={onClose}
    />
  );
}
