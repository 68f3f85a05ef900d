import type { WebhookEndpoint } from '@servery/contract';
import type { EventType } from '@servery/contract/schemas/event-types.ts';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Select } from '../../parts/field.tsx';
import { useRequired } from '../../parts/required.tsx';
import { say } from '../../parts/toast.tsx';
import { call } from '../../platform/session.ts';
import { eventOptions, isEventType } from './words.tsx';

export interface EndpointDialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const REASON_AT_MOST = 500;

/** Why somebody does it, for those who look at it later. */
export function useReason() {
  const { reason: label, reasonHint: hint, reasonFault: fault } = texts.stop;
  return useRequired({ label, hint, fault, maxLength: REASON_AT_MOST });
}

export function StopDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const { stop } = texts;
  const [how, setHow] = useState<'pause' | 'disable'>('pause');
  const [reason, readReason] = useReason();
  const run = async () => {
    const request = {
      params: { endpointGuid: endpoint.guid },
      body: { reason: readReason() },
    };
    await call(`backOffice.webhooks.endpoints.${how}`, request);
    say(stop.done[how]);
    onDone();
  };
  return (
    <Confirm title={stop.title} action={stop[how]} kind="danger" run={run} onClose={onClose}>
      <Select
        label={stop.how}
        value={how}
        onValue={(value) => setHow(value === 'disable' ? 'disable' : 'pause')}
        options={Object.entries(stop.hows)}
      />
      <p class="soft">{how === 'pause' ? stop.pauseText : stop.disableText}</p>
      {reason}
    </Confirm>
  );
}

export function TestDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const [eventType, setEventType] = useState<EventType>(
    endpoint.eventTypes?.[0] ?? 'partner_added',
  );
  const run = async () => {
    const params = { endpointGuid: endpoint.guid };
    await call('backOffice.webhooks.test', { params, body: { eventType } });
    say(texts.test.sent);
    onDone();
  };
  return (
    <Confirm
      title={texts.test.title}
      text={texts.test.text}
      action={texts.test.send}
      run={run}
      onClose={onClose}
    >
      <Select
        label={texts.test.type}
        value={eventType}
        onValue={(value) => isEventType(value) && setEventType(value)}
        options={eventOptions}
      />
    </Confirm>
  );
}

export function ArchiveDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const { archive } = texts;
  const run = async () => {
    await call('backOffice.webhooks.endpoints.archive', {
      params: { endpointGuid: endpoint.guid },
    });
    say(archive.done);
    onDone();
  };
  return (
    <Confirm
      title={archive.title}
      text={archive.text(endpoint.queued)}
      action={archive.archive}
      kind="danger"
      run={run}
      onClose={onClose}
    />
  );
}
