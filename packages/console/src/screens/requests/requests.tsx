import './requests.css';
import { useAddress } from '../../platform/address.ts';
import { RequestList } from './list.tsx';
import { OneRequest } from './one.tsx';

export default function Requests() {
  const { segments } = useAddress();
  const [, requestId] = segments;
  return requestId ? <OneRequest key={requestId} requestId={requestId} /> : <RequestList />;
}
