import type { AuditVerdict } from '@servery/contract';
import { useState } from 'preact/hooks';
import { audit as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { sayFailed } from '../../parts/toast.tsx';
import { Badge } from '../../parts/told.tsx';
import { platformUrl } from '../../platform/address.ts';
import { formatCount, formatSeconds } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';

/** Whether anybody has changed the log itself: the platform recomputes every hash of the chain. */
export function Chain() {
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null);
  const verify = async () => {
    try {
      setVerdict(await call('backOffice.audit.verify'));
    } catch (error) {
      sayFailed(error);
    }
  };
  return (
    <section class="card chain" aria-label={texts.chain}>
      <div class="spread">
        <p class="soft">{texts.chainMore}</p>
        <div class="row">
          <Button icon="check" onClick={verify}>
            {texts.verify}
          </Button>
          <a
            class="button"
            href={`${platformUrl}/backoffice/v1/audit/export`}
            download="audit.ndjson"
          >
            {texts.export}
          </a>
        </div>
      </div>
      <div role="status">{verdict && <Verdict verdict={verdict} />}</div>
    </section>
  );
}

function Verdict({ verdict }: { readonly verdict: AuditVerdict }) {
  const { isIntact, position, hash, firstBreak, verifiedAt } = verdict;
  return (
    <div class="stack verdict">
      <p class="row">
        <Badge tone={isIntact ? 'good' : 'bad'}>{isIntact ? texts.intact : texts.broken}</Badge>
        <strong>{texts.upTo(formatCount(position))}</strong>
        <span class="soft small">{formatSeconds(verifiedAt)}</span>
      </p>
      {firstBreak && (
        <p>
          <strong>
            {texts.breaks[firstBreak.kind]}, {texts.atPosition(formatCount(firstBreak.position))}
          </strong>{' '}
          {firstBreak.explanation}
        </p>
      )}
      {hash && (
        <p class="row">
          <code>{hash}</code>
          <CopyButton text={`${position} ${hash}`} done={texts.hashCopied}>
            {texts.copyHash}
          </CopyButton>
        </p>
      )}
    </div>
  );
}
