import './style.css';
import { Refused } from '@servery/client/back-office';
import { useState } from 'preact/hooks';
import { common, style as texts } from '../../messages.ts';
import { Bars, Shares } from '../../parts/bars.tsx';
import { Button } from '../../parts/button.tsx';
import { Check, Checks } from '../../parts/checks.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Conflict } from '../../parts/conflict.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { Icon, iconNames } from '../../parts/icon.tsx';
import { List } from '../../parts/list.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Once } from '../../parts/once.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Countdown, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { nowMs } from '../../platform/clock.ts';
import { formatCount } from '../../platform/format.ts';
import { after } from '../../platform/present.ts';

const COLORS = [
  ...['paper', 'surface', 'raised', 'sunken', 'line', 'line-strong', 'ink', 'ink-soft'],
  ...['accent', 'accent-soft', 'accent-ink', 'good-soft', 'good-ink', 'warn-soft', 'warn-ink'],
  ...['bad', 'bad-soft', 'bad-ink', 'info-soft', 'info-ink', 'production'],
];
const SOON_MS = 50_000;
const LATER_MS = 7_000_000;
const WORK_MS = 2_000;

const refused = new Refused('The name is too long: it must have at most 100 characters.', {
  ...{ operation: null, status: 422, code: 10_000, requestId: null },
  ...{ link: null, retryAfterMs: null },
  faults: [
    { code: null, message: 'name is too long' },
    { code: null, message: 'quantity must be greater than 0' },
  ],
});

const SERIES = (['good', 'info', 'warn', 'bad', 'plain'] as const).map((tone) => ({
  name: tone,
  tone,
}));

const samples = [3, 8, 5, 0, 12, 7, 2].map((value, index) => ({
  name: String(index + 1),
  value,
}));

/** Every part in every state, to look at and to build with. */
export default function Style() {
  const [text, setText] = useState('Sour Cherry Pie');
  const [tab, setTab] = useState('first');
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<'confirm' | 'conflict' | 'secret' | null>(null);
  const [isOn, setOn] = useState(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['first']));
  const now = nowMs.peek();
  const [soon, later] = [SOON_MS, LATER_MS].map((ms) => new Date(now + ms).toISOString());
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: index + 1 }));
  return (
    <div class="stack style">
      <PageHead title={texts.title} about={texts.intro} isLive />
      <Card title={texts.colors}>
        <div class="swatches">
          {COLORS.map((name) => (
            <div key={name} class="swatch">
              <i style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </div>
          ))}
        </div>
      </Card>
      <Card title={texts.type}>
        <h1>{texts.sample}</h1>
        <h2>{texts.sample}</h2>
        <h3>{texts.sample}</h3>
        <p>{texts.sample}</p>
        <p class="soft small">{texts.sample}</p>
        <code>{texts.sample}</code>
      </Card>
      <Card title={texts.buttons}>
        <div class="row">
          <Button kind="main">{texts.sample}</Button>
          <Button>{texts.sample}</Button>
          <Button kind="quiet">{texts.sample}</Button>
          <Button kind="danger">{texts.sample}</Button>
          <Button aria-pressed="true">{texts.sample}</Button>
          <Button disabled>{texts.sample}</Button>
          <Button kind="main" isBusy>
            {texts.sample}
          </Button>
          <Button
            icon="replay"
            onClick={() => new Promise<void>((resolve) => after(WORK_MS, resolve))}
          >
            {texts.sample}
          </Button>
          <Button icon="close" aria-label={common.close} />
          <CopyButton text={texts.sample} />
        </div>
        <div class="row">
          {iconNames.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
      </Card>
      <Card title={texts.fields}>
        <Filters>
          <TextFilter name="sample" label={texts.sample} />
          <SelectFilter name="choice" label={texts.sample} options={[['', texts.first]]} />
          <Field label={texts.sample} value={text} onValue={setText} />
          <Field label={texts.sample} hint={texts.hint} value={text} onValue={setText} />
          <Field label={texts.sample} fault={texts.fault} value={text} onValue={setText} />
          <Select
            label={texts.sample}
            value="one"
            onValue={() => {}}
            options={[['one', texts.sample]]}
          />
          <Check label={texts.sample} hint={texts.hint} isOn={isOn} onChange={setOn} />
          <Once label={texts.secret} value={texts.sample} />
        </Filters>
      </Card>
      <Card title={texts.more}>
        <TextArea label={texts.sample} hint={texts.hint} value={text} onValue={setText} />
        <TextArea label={texts.sample} fault={texts.fault} isCode value={text} onValue={setText} />
        <Checks
          label={texts.several}
          fault={chosen.size === 0 ? texts.fault : null}
          options={[
            ['first', texts.first, texts.hint],
            ['second', texts.second],
          ]}
          chosen={chosen}
          onChoose={setChosen}
        />
      </Card>
      <Card title={texts.charts}>
        <Bars
          label={texts.sample}
          of={texts.number}
          series={SERIES}
          points={samples.map(({ name, value }) => ({ name, values: SERIES.map(() => value) }))}
          now={formatCount(samples.length)}
        />
        <Bars
          isOverlaid
          label={texts.sample}
          of={texts.number}
          series={SERIES.slice(0, 2)}
          points={samples.map(({ name, value }) => ({ name, values: [value, value && value * 3] }))}
        />
        <Shares label={texts.sample} of={texts.number} values={samples.slice(0, 3)} />
      </Card>
      <Card title={texts.told}>
        <div class="row">
          <Badge>{texts.sample}</Badge>
          <Badge tone="good">{texts.sample}</Badge>
          <Badge tone="warn">{texts.sample}</Badge>
          <Badge tone="bad">{texts.sample}</Badge>
          <Badge tone="info">{texts.sample}</Badge>
          <LiveMark isLive />
          <LiveMark isLive={false} />
          {soon && <Countdown to={soon} />}
          {later && <Countdown to={later} />}
        </div>
        <FactList
          rows={[
            [texts.first, texts.sample],
            [texts.second, texts.hint],
          ]}
        />
        <ErrorPanel error={refused} onRetry={() => {}} />
        <Skeleton lines={4} />
        <Empty title={texts.empty}>
          <p>{texts.hint}</p>
        </Empty>
      </Card>
      <Card title={texts.layers}>
        <div class="row">
          <Button onClick={() => setOpen(true)}>{texts.dialog}</Button>
          <Button onClick={() => setAsked('confirm')}>{texts.confirm}</Button>
          <Button onClick={() => setAsked('conflict')}>{texts.conflict}</Button>
          <Button onClick={() => setAsked('secret')}>{texts.secret}</Button>
          <Views page="style" filters={['sample']} />
          <Menu label={texts.menu} icon="down">
            <button type="button" class="item">
              {texts.sample}
            </button>
            <button type="button" class="item" aria-current="true">
              {texts.sample}
            </button>
          </Menu>
          <Button onClick={() => say(texts.sample, async () => say(texts.undone))}>
            {texts.toast}
          </Button>
        </div>
        <Tabs
          label={texts.sample}
          tabs={[
            ['first', texts.first],
            ['second', texts.second],
          ]}
          chosen={tab}
          onChoose={setTab}
        >
          <p>{tab === 'first' ? texts.first : texts.second}</p>
        </Tabs>
      </Card>
      <Card title={texts.table}>
        <List
          label={texts.table}
          list={{ rows, error: null, refresh: () => {}, loadMore: () => {} }}
          texts={{ empty: texts.empty, emptyMore: texts.hint }}
          keyOf={({ id }) => String(id)}
          columns={[
            { id: 'name', label: texts.sample, cell: ({ id }) => `${texts.sample} ${id}` },
            { id: 'number', label: texts.number, isAtEnd: true, cell: ({ id }) => id },
          ]}
        />
      </Card>
      {asked === 'confirm' && (
        <Confirm
          title={texts.confirm}
          text={texts.hint}
          action={texts.confirm}
          kind="danger"
          run={async () => {
            throw refused;
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'conflict' && (
        <Conflict
          fields={[{ name: 'one', label: texts.number, mine: texts.first, theirs: texts.second }]}
          run={async () => setAsked(null)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'secret' && (
        <ShownOnce
          title={texts.secret}
          text={texts.hint}
          values={{ [texts.secret]: texts.sample }}
          done={common.close}
          onClose={() => setAsked(null)}
        />
      )}
      {isOpen && (
        <Dialog title={texts.dialog} onClose={() => setOpen(false)}>
          <p>{texts.hint}</p>
          <div class="actions">
            <Button kind="main" onClick={() => setOpen(false)}>
              {common.close}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
