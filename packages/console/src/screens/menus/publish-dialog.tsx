import type { ConfigurationDraft, ConfigurationPreview } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
import { call, isRefused, who } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { Words } from './fields.tsx';

export interface PublishDialogProps {
  readonly catalog: Catalog;
  readonly draft: ConfigurationDraft;
  readonly preview: ConfigurationPreview;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Publishes exactly what was looked at. */
export function PublishDialog({ catalog, draft, preview, onClose, onChanged }: PublishDialogProps) {
  const [seen] = useState(preview);
  const [note, setNote] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isMoved, setMoved] = useState(false);
  const others = new Set(
    draft.results
      .filter((each) => each.draft.modifiedBy !== `person:${who.value?.id}`)
      .map((each) => each.draft.modifiedByName ?? texts.somebody),
  );
  const publish = async () => {
    setFailure(null);
    try {
      const params = { restaurantGuid: catalog.restaurantGuid };
      const text = note.trim();
      const body = { expectedState: seen.state, ...(text && { note: text }) };
      const { number } = await call('backOffice.configuration.publications.publish', {
        params,
        body,
      });
      say(texts.published(number));
      onClose();
      onChanged();
    } catch (error) {
      setMoved(isRefused(error, 409));
      setFailure(isRefused(error, 409) ? texts.movedBeforePublishing : sayError(error));
      onChanged();
    }
  };
  return (
    <Dialog title={texts.publishTitle} onClose={onClose}>
      <p>{texts.publishMore(draft.results.length, seen.publishNumber)}</p>
      {others.size > 0 && <p>{texts.publishOthers([...others].join(', '))}</p>}
      <Words label={texts.note} hint={texts.noteHint} value={note} onValue={setNote} />
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button kind="main" disabled={isMoved} onClick={publish}>
          {texts.publishNow}
        </Button>
      </div>
    </Dialog>
  );
}
