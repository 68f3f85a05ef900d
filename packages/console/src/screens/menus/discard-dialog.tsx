import type { DraftedObject } from '@servery/contract';
import { menus as texts } from '../../messages.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { say } from '../../parts/toast.tsx';
import { call } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { kindLabel } from './words.tsx';

type Draft = Pick<DraftedObject, 'collection' | 'guid' | 'name'> & {
  readonly change: DraftedObject['change'] | null;
};

export interface DiscardDialogProps {
  readonly catalog: Catalog;
  readonly drafts: readonly Draft[];
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onChanged: () => void;
}

/** Says what is lost before it is. */
export function DiscardDialog({ catalog, drafts, onClose, onDone, onChanged }: DiscardDialogProps) {
  const [one] = drafts;
  const isNew = drafts.length === 1 && one?.change === 'CREATE';
  const discard = async () => {
    const params = { restaurantGuid: catalog.restaurantGuid };
    const objects = drafts.map(({ collection, guid }) => ({ collection, guid }));
    await call('backOffice.configuration.draft.discard', { params, body: { objects } });
    say(texts.discarded(drafts.length));
    onDone();
    onChanged();
  };
  return (
    <Confirm
      title={texts.discardTitle(drafts.length)}
      text={isNew ? texts.discardNew : texts.discardMore}
      action={texts.discard}
      kind="danger"
      run={discard}
      onClose={onClose}
    >
      <ul class="plain-list">
        {drafts.slice(0, 10).map(({ collection, guid, name }) => (
          <li key={guid}>{name ?? kindLabel(collection)}</li>
        ))}
        {drafts.length > 10 && <li>{texts.others(drafts.length - 10)}</li>}
      </ul>
    </Confirm>
  );
}
