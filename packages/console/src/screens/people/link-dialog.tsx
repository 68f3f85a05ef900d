import type { InvitedPerson } from '@servery/contract';
import { common, people as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Once } from '../../parts/once.tsx';
import { platformUrl } from '../../platform/address.ts';
import { formatInstant } from '../../platform/format.ts';

export interface LinkDialogProps {
  readonly invited: InvitedPerson;
  readonly onClose: () => void;
}

/** The link is shown here and nowhere again. Only its button closes it, so that no stray click does. */
export function LinkDialog({ invited: { person, invitation }, onClose }: LinkDialogProps) {
  return (
    <Dialog title={invitation ? texts.linkTitle(person.name) : texts.existed(person.name)}>
      {invitation ? (
        <>
          <p>{texts.linkMore(formatInstant(invitation.expiresAt))}</p>
          <Once
            label={texts.link}
            value={`${platformUrl}/console/invitation#${invitation.token}`}
          />
        </>
      ) : (
        <p>{texts.existedMore}</p>
      )}
      <div class="actions">
        <Button kind="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  );
}
