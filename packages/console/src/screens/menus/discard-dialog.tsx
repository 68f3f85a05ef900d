import type { DraftedObject } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
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
  const [failure, setFailure] = useState<string | null>(null);
  const [one] = drafts;
  const isNew = drafts.length === 1 && one?.change === 'CREATE';
  const discard = async () => {
    setFailure(null);
    try {
      const params = { restaurantGuid: catalog.restaurantGuid };
      const objects = drafts.map(({ collection, guid }) => ({ collection, guid }));
      await call('backOffice.configuration.draft.discard', { params, body: { objects } });
      say(texts.discarded(drafts.length));
      onDone();
      onChanged();
    } catch (error) {
      setFailure(sayError(error));
    }
  };
  return (
    <Dialog title={texts.discardTitle(drafts.length)} onClose={onClose}>
      <p>{isNew ? texts.discardNew : texts.discardMore}</p>
      <ul class="plain-list">
        {drafts.slice(0, 10).map(({ collection, guid, name }) => (
          <li key={guid}>{name ?? kindLabel(collection)}</li>
        ))}
        {drafts.length > 10 && <li>{texts.others(drafts.length - 10)}</li>}
      </ul>
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button kind="danger" onClick={discard}>
          {texts.discard}
        </Button>
      </div>
    </Dialog>
  );
}
