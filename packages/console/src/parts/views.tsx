import type { SavedView } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { views as texts } from '../messages.ts';
import { useAddress } from '../platform/address.ts';
import { call } from '../platform/session.ts';
import { Confirm } from './confirm.tsx';
import { Field } from './field.tsx';
import { foldFilters } from './filters.tsx';
import { Menu } from './menu.tsx';
import { say, sayFailed } from './toast.tsx';

export interface ViewsProps {
  /** The path of the list below the console. */
  readonly page: string;
  /** The parameters of the address that a view keeps. */
  readonly filters: readonly string[];
}

/** The filters of a list under names, which the person finds in every browser. */
export function Views({ page, filters }: ViewsProps) {
  const { query, go } = useAddress();
  const [views, setViews] = useState<readonly SavedView[]>([]);
  const [isSaving, setSaving] = useState(false);
  const read = () =>
    call('backOffice.me.views.list').then(
      (all) => setViews(all.filter((view) => view.page === page)),
      () => {},
    );
  useEffect(() => {
    void read();
  }, [page]);
  const given = filters.flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  const now = new URLSearchParams(given).toString();
  const current = views.find((view) => view.query === now);
  const save = async (name: string, kept = now) => {
    await call('backOffice.me.views.save', { body: { page, name, query: kept } });
    await read();
  };
  const remove = async ({ viewGuid, name, query: kept }: SavedView) => {
    try {
      await call('backOffice.me.views.delete', { params: { viewGuid } });
      say(texts.deleted(name), () => save(name, kept));
      await read();
    } catch (error) {
      sayFailed(error);
    }
  };
  return (
    <>
      <Menu label={texts.title} kind="quiet" icon="down" onOpen={() => void read()}>
        {views.map((view) => (
          <button
            key={view.viewGuid}
            type="button"
            class="item"
            aria-current={view === current ? 'true' : undefined}
            onClick={() => {
              foldFilters();
              go(page, Object.fromEntries(new URLSearchParams(view.query)));
            }}
          >
            {view.name}
          </button>
        ))}
        <button type="button" class="item" disabled={now === ''} onClick={() => setSaving(true)}>
          <span>
            {texts.save}
            {now === '' && <span class="under soft small">{texts.noFilter}</span>}
          </span>
        </button>
        {current && (
          <button type="button" class="item" onClick={() => remove(current)}>
            {texts.delete(current.name)}
          </button>
        )}
      </Menu>
      {isSaving && (
        <SaveDialog
          taken={views.map(({ name }) => name)}
          initial={current?.name ?? ''}
          save={save}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

interface SaveDialogProps {
  readonly taken: readonly string[];
  readonly initial: string;
  readonly save: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

function SaveDialog({ taken, initial, save, onClose }: SaveDialogProps) {
  const [name, setName] = useState(initial);
  const own = name.trim();
  return (
    <Confirm
      title={texts.saveTitle}
      action={taken.includes(own) ? texts.replace : texts.saveNow}
      isDisabled={own === ''}
      run={async () => {
        await save(own);
        say(texts.saved(own));
        onClose();
      }}
      onClose={onClose}
    >
      <Field
        label={texts.name}
        hint={texts.hint}
        autofocus
        maxLength={100}
        value={name}
        onValue={setName}
      />
    </Confirm>
  );
}
