import type { ManagementGroup } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { restaurants as texts } from '../../messages.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { useAddress } from '../../platform/address.ts';
import { type FieldFaults, fieldFaults, noFaults } from '../../platform/faults.ts';
import { localZone } from '../../platform/format.ts';
import { loadRestaurants } from '../../platform/restaurants.ts';
import { call } from '../../platform/session.ts';
import { mayArchive } from './groups.ts';

const PAGE = 200;

/** What a restaurant can't be without; its own page asks for the rest. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress();
  const [groups, setGroups] = useState<readonly ManagementGroup[]>([]);
  const [group, setGroup] = useState('');
  const [name, setName] = useState('');
  const [timeZone, setTimeZone] = useState(localZone);
  const [currencyCode, setCurrencyCode] = useState('USD');
  const [faults, setFaults] = useState<FieldFaults>(noFaults);
  useEffect(() => {
    call('backOffice.managementGroups.list', { query: { archived: false, pageSize: PAGE } }).then(
      ({ results }) => {
        const open = results.filter(({ guid }) => mayArchive(guid));
        setGroups(open);
        setGroup((before) => before || (open[0]?.guid ?? ''));
      },
      sayFailed,
    );
  }, []);
  const create = async () => {
    setFaults(noFaults);
    const general = { name: name.trim(), managementGroupGuid: group, timeZone, currencyCode };
    try {
      const { guid } = await call('backOffice.restaurants.create', { body: { general } });
      await loadRestaurants();
      say(texts.create.done(name.trim()));
      go('restaurants', { restaurant: guid });
    } catch (error) {
      const found = fieldFaults(error);
      setFaults(found);
      if (found.size === 0) throw error;
    }
  };
  return (
    <Confirm title={texts.create.title} action={texts.create.button} run={create} onClose={onClose}>
      <p class="soft">{texts.create.more}</p>
      <Field
        label={texts.fields['general.name']}
        autofocus
        value={name}
        fault={faults.get('general.name')}
        onValue={setName}
      />
      <Select
        label={texts.fields['general.managementGroupGuid']}
        value={group}
        fault={faults.get('general.managementGroupGuid')}
        onValue={setGroup}
        options={groups.map(({ guid, name: label }) => [guid, label])}
      />
      <div class="pair-of-fields">
        <Field
          label={texts.fields['general.timeZone']}
          value={timeZone}
          fault={faults.get('general.timeZone')}
          onValue={setTimeZone}
        />
        <Field
          label={texts.fields['general.currencyCode']}
          maxLength={3}
          value={currencyCode}
          fault={faults.get('general.currencyCode')}
          onValue={(text) => setCurrencyCode(text.toUpperCase())}
        />
      </div>
    </Confirm>
  );
}
