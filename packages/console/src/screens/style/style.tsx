import './style.css';
import { Refused } from '@servery/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { common, style as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Icon, iconNames } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Check, TextArea } from '../../parts/more-fields.tsx';
import { Once } from '../../parts/once.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Countdown, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
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
  faults: [
    { code: null, message: 'name is too long' },
    { code: null, message: 'quantity must be greater than 0' },
  ],
});

/** Every part in every state, to look at and to build with. */
export default function Style() {
  const [text, setText] = useState('Sour Cherry Pie');
  const [tab, setTab] = useState('first');
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isOn, setOn] = useState(true);
  const now = nowMs.peek();
  const [soon, later] = [SOON_MS, LATER_MS].map((ms) => new Date(now + ms).toISOString());
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: index + 1 }));
  return (
    <div class="stack style">
      <div>
        <h1>{texts.title}</h1>
        <p class="soft">{texts.intro}</p>
      </div>
      <Part title={texts.colors}>
        <div class="swatches">
          {COLORS.map((name) => (
            <div key={name} class="swatch">
              <i style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </div>
          ))}
        </div>
      </Part>
      <Part title={texts.type}>
        <h1>{texts.sample}</h1>
        <h2>{texts.sample}</h2>
        <h3>{texts.sample}</h3>
        <p>{texts.sample}</p>
        <p class="soft small">{texts.sample}</p>
        <code>{texts.sample}</code>
      </Part>
      <Part title={texts.buttons}>
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
        </div>
        <div class="row">
          {iconNames.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
      </Part>
      <Part title={texts.fields}>
        <div class="filters">
          <Field label={texts.sample} value={text} onValue={setText} />
          <Field label={texts.sample} hint={texts.hint} value={text} onValue={setText} />
          <Field label={texts.sample} fault={texts.fault} value={text} onValue={setText} />
          <Select
            label={texts.sample}
            value="one"
            onValue={() => {}}
            options={[{ value: 'one', label: texts.sample }]}
          />
          <Check label={texts.sample} hint={texts.hint} isOn={isOn} onChange={setOn} />
          <Check label={texts.sample} fault={texts.fault} isOn={false} onChange={() => {}} />
          <TextArea label={texts.sample} hint={texts.hint} value={text} onValue={setText} />
          <Once label={texts.secret} value={texts.sample} />
        </div>
      </Part>
      <Part title={texts.told}>
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
        <ErrorPanel error={refused} onRetry={() => {}} />
        <Skeleton lines={4} />
        <Empty title={texts.empty}>
          <p>{texts.hint}</p>
        </Empty>
      </Part>
      <Part title={texts.layers}>
        <div class="row">
          <Button onClick={() => setOpen(true)}>{texts.dialog}</Button>
          <Button onClick={() => setAsking(true)}>{texts.confirm}</Button>
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
            { id: 'first', label: texts.first },
            { id: 'second', label: texts.second },
          ]}
          chosen={tab}
          onChoose={setTab}
        >
          <p>{tab === 'first' ? texts.first : texts.second}</p>
        </Tabs>
      </Part>
      <Part title={texts.table}>
        <Table
          label={texts.table}
          rows={rows}
          keyOf={({ id }) => String(id)}
          columns={[
            { id: 'name', label: texts.sample, cell: ({ id }) => `${texts.sample} ${id}` },
            { id: 'number', label: texts.number, isAtEnd: true, cell: ({ id }) => id },
          ]}
        />
      </Part>
      {isAsking && (
        <Confirm
          title={texts.confirm}
          isDanger
          onConfirm={async () => setAsking(false)}
          onClose={() => setAsking(false)}
        >
          <p>{texts.hint}</p>
        </Confirm>
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

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
