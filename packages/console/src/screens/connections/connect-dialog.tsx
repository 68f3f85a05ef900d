import type { ConnectablePartner } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { common, connections as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/checks.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
import { after } from '../../platform/present.ts';
import { restaurants } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';

export interface ConnectDialogProps {
  readonly restaurantGuid: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const TYPING_MS = 200;
const SHOWN = 20;

/** Which partner, then at which restaurants, then what it means. */
export function ConnectDialog({ restaurantGuid, onDone, onClose }: ConnectDialogProps) {
  const [find, setFind] = useState('');
  const [found, setFound] = useState<readonly ConnectablePartner[]>([]);
  const [partner, setPartner] = useState<ConnectablePartner | null>(null);
  const [places, setPlaces] = useState<ReadonlySet<string>>(new Set([restaurantGuid]));
  const [reference, setReference] = useState('');
  const [failures, setFailures] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const forget = after(TYPING_MS, () => {
      const query = { ...(find.trim() !== '' && { name: find.trim() }), pageSize: SHOWN };
      call('backOffice.connections.partners', { params: { restaurantGuid }, query }).then(
        ({ results }) => isCurrent && setFound(results),
        sayFailed,
      );
    });
    return () => {
      isCurrent = false;
      forget();
    };
  }, [find, restaurantGuid]);
  if (!partner) {
    return (
      <Dialog title={texts.connect.which} onClose={onClose}>
        <Field label={texts.connect.find} type="search" autofocus value={find} onValue={setFind} />
        <ul class="partners">
          {found.map((each) => (
            <li key={each.guid}>
              <Button disabled={each.isConnected} onClick={() => setPartner(each)}>
                <span class="who">
                  {each.name}
                  <span class="soft small">
                    {each.isConnected ? texts.connect.already : each.description}
                  </span>
                </span>
              </Button>
            </li>
          ))}
        </ul>
        <div class="actions">
          <Button kind="quiet" onClick={onClose}>
            {common.cancel}
          </Button>
        </div>
      </Dialog>
    );
  }
  const open = restaurants.value.filter(
    ({ guid, archived }) => !archived && holds('connections:write', guid),
  );
  const connect = async () => {
    const failed: string[] = [];
    const left = new Set(places);
    for (const guid of places) {
      const body = {
        partnerGuid: partner.guid,
        ...(reference.trim() !== '' && { externalRestaurantRef: reference.trim() }),
      };
      try {
        await call('backOffice.connections.connect', { params: { restaurantGuid: guid }, body });
        left.delete(guid);
      } catch (error) {
        const name = open.find((each) => each.guid === guid)?.name ?? guid;
        failed.push(`${name}: ${sayError(error)}`);
      }
    }
    setFailures(failed);
    setPlaces(left);
    onDone();
    if (failed.length > 0) return;
    say(texts.connect.done(partner.name, places.size));
    onClose();
  };
  const toggle = (guid: string, isOn: boolean) => {
    const next = new Set(places);
    if (isOn) next.add(guid);
    else next.delete(guid);
    setPlaces(next);
  };
  return (
    <Confirm
      title={texts.connect.title(partner.name)}
      text={texts.connect.more(partner.name)}
      action={texts.connect.button}
      isDisabled={places.size === 0}
      run={connect}
      onClose={onClose}
    >
      <fieldset class="plain stack">
        <legend class="legend">{texts.connect.where}</legend>
        {open.map(({ guid, name }) => (
          <Check
            key={guid}
            label={name}
            isOn={places.has(guid)}
            onChange={(isOn) => toggle(guid, isOn)}
          />
        ))}
      </fieldset>
      {places.size === 1 && (
        <Field
          label={common.optional(texts.reference)}
          hint={texts.referenceHint}
          maxLength={200}
          value={reference}
          onValue={setReference}
        />
      )}
      {failures.map((text) => (
        <p key={text} class="fault" role="alert">
          {text}
        </p>
      ))}
    </Confirm>
  );
}
