import { useAddress } from '../../platform/address.ts';
import { PeopleList } from './list.tsx';
import { OnePerson } from './one.tsx';

export default function People() {
  const [, guid] = useAddress().segments;
  return guid ? <OnePerson key={guid} guid={guid} /> : <PeopleList />;
}
