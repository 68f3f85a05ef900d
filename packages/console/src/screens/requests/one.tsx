import type {
  ExplainedStep,
  LoggedRequestDetails,
  Remedy,
  RequestExplanation,
} from '@servery/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { requests as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Fact, FactList } from '../../parts/fact-list.tsx';
import { Awaited, Back, Card } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { isSandbox } from '../../platform/environment.ts';
import { formatExactly } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds, holdsEverywhere } from '../../platform/session.ts';
import { curlOf } from './curl.ts';
import { pretty } from './pretty.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { lacksBody, localized, Sender, StatusBadge, tookOf } from './words.tsx';

/** What is logged stays as it is. */
const NEVER_MS = 86_400_000;

const TABS = ['why', 'request', 'response'] as const;

export function OneRequest({ requestId }: { readonly requestId: string }) {
  const { query, change } = useAddress();
  const { state, refresh } = useLive(
    requestId,
    () => call('backOffice.requests.get', { params: { requestId } }),
    NEVER_MS,
  );
  const [isReplaying, setReplaying] = useState(false);
  const { value: request, error } = state.value;
  const back = (
    <Back to="requests" query={{ restaurant: query.restaurant }}>
      {texts.title}
    </Back>
  );
  if (!request) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const tab = TABS.find((each) => each === query.tab) ?? 'why';
  return (
    <div class="stack">
      {back}
      <div class="page-head">
        <div class="row">
          <StatusBadge status={request.status} />
          <h1 class="mono path">
            {request.method} {request.path}
          </h1>
        </div>
        <div class="row">
          <CopyButton text={curlOf(request)}>{texts.copyCurl}</CopyButton>
          {isSandbox &&
            (holdsEverywhere('requests:write') ? (
              <Button icon="replay" onClick={() => setReplaying(true)}>
                {texts.replay}
              </Button>
            ) : (
              <span class="soft small">{texts.replayWho}</span>
            ))}
        </div>
      </div>
      {request.refusal && (
        <div class="panel warn">
          <p>
            <strong>{request.refusal.message}</strong>
          </p>
          {request.refusal.faults.length > 0 && (
            <ul>
              {request.refusal.faults.map(({ field, rule }) => (
                <li key={field + rule}>
                  <code>{field}</code> {rule}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <Tabs
        label={texts.title}
        tabs={TABS.map((id) => [id, texts.tabs[id]])}
        chosen={tab}
        onChoose={(id) => change({ tab: id === 'why' ? null : id })}
      >
        {tab === 'why' && <Why request={request} />}
        {tab === 'request' && (
          <Message
            headers={request.requestHeaders}
            body={request.requestBody}
            noBody={lacksBody(request) ? texts.unread : undefined}
          >
            {Object.keys(request.query).length > 0 && (
              <Pairs title={texts.query} pairs={request.query} />
            )}
          </Message>
        )}
        {tab === 'response' && (
          <Message headers={request.answerHeaders} body={request.answerBody} />
        )}
      </Tabs>
      {isReplaying && <ReplayDialog request={request} onClose={() => setReplaying(false)} />}
    </div>
  );
}

function Why({ request }: { readonly request: LoggedRequestDetails }) {
  const { explanation } = request;
  return (
    <div class="columns">
      <Card title={texts.why}>
        {explanation ? (
          <Explained explanation={explanation} request={request} />
        ) : (
          <p class="soft">{texts.noExplanation}</p>
        )}
      </Card>
      <Facts request={request} />
    </div>
  );
}

function Explained({
  explanation,
  request,
}: {
  readonly explanation: RequestExplanation;
  readonly request: LoggedRequestDetails;
}) {
  const { steps, statements } = explanation;
  return (
    <>
      <ol class="steps">
        {steps.map((step) => (
          <Step key={step.check + step.title} {...{ step, request }} />
        ))}
      </ol>
      {statements && statements.first.length > 0 && (
        <details>
          <summary>{texts.statements}</summary>
          <ol class="stack statements">
            {statements.first.map(({ text, durationMs }, index) => (
              <li key={`${index} ${text}`}>
                <code>{text}</code>{' '}
                <span class="soft small">{texts.took(durationMs.toFixed(1))}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Step({
  step: { check, result, title, details, advice, remedy },
  request,
}: {
  readonly step: ExplainedStep;
  readonly request: LoggedRequestDetails;
}) {
  const isCheck = check !== 'answer';
  return (
    <li class={`step ${isCheck ? result.toLowerCase() : 'answer'}`}>
      <div>
        {isCheck && <span class="visually-hidden">{texts.results[result]}: </span>}
        {localized(title)}
      </div>
      {details.map((detail) => (
        <div key={detail} class="soft small">
          {localized(detail)}
        </div>
      ))}
      {advice && (
        <div class="advice small">
          <strong>{texts.whatToDo}</strong> {advice}{' '}
          {remedy && <WhereToDo {...{ remedy, request }} />}
        </div>
      )}
    </li>
  );
}

interface WhereToDoProps {
  readonly remedy: Remedy;
  readonly request: LoggedRequestDetails;
}

/** The screen, for those who may do it, and else who may. */
function WhereToDo({ remedy, request: { clientId, restaurantGuid } }: WhereToDoProps) {
  const { open, who } = texts.remedies[remedy];
  const restaurant = restaurantGuid !== null && restaurantOf(restaurantGuid)?.guid;
  const href =
    remedy === 'ADD_SCOPE'
      ? clientId && holds('clients:write') && hrefOf(`accounts/${clientId}`)
      : remedy === 'CONNECT' &&
        restaurant &&
        holds('connections:write', restaurant) &&
        hrefOf('connections', { restaurant });
  return href ? <a href={href}>{open}</a> : who;
}

function Facts({ request }: { readonly request: LoggedRequestDetails }) {
  const { fact } = texts;
  const { restaurantGuid, clientId } = request;
  const rows: readonly Fact[] = [
    [texts.columns.operation, request.operation],
    [fact.at, formatExactly(request.realAt)],
    [texts.columns.duration, tookOf(request)],
    [fact.sender, <Sender key="sender" request={request} />],
    [fact.address, request.remoteAddress],
    [fact.restaurant, restaurantGuid && (restaurantOf(restaurantGuid)?.name ?? restaurantGuid)],
    [fact.fault, request.fault],
    [fact.id, request.requestId],
  ];
  return (
    <Card title={texts.facts}>
      <FactList rows={rows} />
      {clientId && <a href={hrefOf('requests', { client: clientId })}>{texts.sameSender}</a>}
    </Card>
  );
}

interface MessageProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly noBody?: string | undefined;
  readonly children?: ComponentChildren;
}

function Message({ headers, body, noBody = texts.noBody, children }: MessageProps) {
  return (
    <div class="stack">
      {children}
      <Pairs title={texts.headers} pairs={headers} />
      <section class="stack" aria-label={texts.body}>
        <h2>{texts.body}</h2>
        {body === null ? <p class="soft">{noBody}</p> : <pre tabIndex={0}>{pretty(body)}</pre>}
      </section>
    </div>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: Readonly<Record<string, string>> }) {
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts mono">
        {Object.entries(pairs).map(([name, value]) => (
          <div key={name} class="pair">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
