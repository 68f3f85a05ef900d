import type { InvitedPerson } from '@servery/contract';
import { useState } from 'preact/hooks';
import { people as texts } from '../../messages.ts';
import { Check } from '../../parts/checks.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { type FieldFaults, fieldFaults, noFaults } from '../../platform/faults.ts';
import { call, isRefused } from '../../platform/session.ts';
import { bodyOf, type Places, type RoleChoice } from './places.ts';
import { leastChoice, RoleFields } from './role-fields.tsx';

export interface InviteDialogProps {
  readonly places: Places;
  readonly onInvited: (invited: InvitedPerson) => void;
  readonly onClose: () => void;
}

export function InviteDialog({ places, onInvited, onClose }: InviteDialogProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<RoleChoice | null>(null);
  const [faults, setFaults] = useState<FieldFaults>(noFaults);
  const [isTaken, setTaken] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const choice = chosen ?? leastChoice(places);
  const invite = async () => {
    const found = new Map<string, string>();
    if (name.trim() === '') found.set('name', texts.nameFault);
    if (email.trim() === '') found.set('email', texts.emailFault);
    setFaults(found);
    if (found.size > 0) return;
    const body = {
      ...{ name: name.trim(), email: email.trim(), role: bodyOf(choice) },
      ...(isConfirmed && { existingAccount: true }),
    };
    try {
      onInvited(await call('backOffice.people.create', { body }));
    } catch (error) {
      const told = fieldFaults(error);
      setFaults(told);
      if (isRefused(error, 409)) setTaken(true);
      if (!told.has('name') && !told.has('email')) throw error;
    }
  };
  return (
    <Confirm title={texts.invite} run={invite} onClose={onClose}>
      <p class="soft">{texts.inviteMore}</p>
      <Field
        label={texts.name}
        autofocus
        value={name}
        fault={faults.get('name')}
        onValue={setName}
      />
      <Field
        label={texts.email}
        type="email"
        value={email}
        fault={faults.get('email')}
        onValue={setEmail}
      />
      <RoleFields places={places} choice={choice} onChange={setChosen} />
      {isTaken && (
        <Check
          label={texts.existing}
          hint={texts.existingMore}
          isOn={isConfirmed}
          onChange={setConfirmed}
        />
      )}
    </Confirm>
  );
}
