import type { ConfigurationDraft, ConfigurationPreview } from '@servery/contract';
import { useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { say } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
import { call, isRefused, who } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { NoteDialog } from './note-dialog.tsx';

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
  const [isMoved, setMoved] = useState(false);
  const others = new Set(
    draft.results
      .filter((each) => each.draft.modifiedBy !== `person:${who.value?.id}`)
      .map((each) => each.draft.modifiedByName ?? texts.somebody),
  );
  const publish = async (note: object) => {
    try {
      const params = { restaurantGuid: catalog.restaurantGuid };
      const body = { expectedState: seen.state, ...note };
      const { number } = await call('backOffice.configuration.publications.publish', {
        params,
        body,
      });
      say(texts.published(number));
      onClose();
      onChanged();
    } catch (error) {
      setMoved(isRefused(error, 409));
      onChanged();
      throw error;
    }
  };
  const sayFailure = (error: unknown) =>
    isRefused(error, 409) ? texts.movedBeforePublishing : sayError(error);
  return (
    <NoteDialog
      title={texts.publishTitle}
      text={texts.publishMore(draft.results.length, seen.publishNumber)}
      action={texts.publishNow}
      isDisabled={isMoved}
      run={publish}
      sayFailure={sayFailure}
      onClose={onClose}
    >
      {others.size > 0 && <p>{texts.publishOthers([...others].join(', '))}</p>}
    </NoteDialog>
  );
}
