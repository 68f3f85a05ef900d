import { computed, signal } from '@preact/signals';
import { orders as texts } from '../../messages.ts';
import { consolePath } from '../../platform/address.ts';

interface Alerts {
  readonly sound: boolean;
  readonly notifications: boolean;
}

/** The choice of the person, on this device. */
const KEY = 'console-order-alerts';

export const alerts = signal<Alerts>(readChoice());

function readChoice(): Alerts {
  const chosen = localStorage.getItem(KEY) ?? '';
  return {
    sound: chosen.includes('sound'),
    notifications: chosen.includes('notifications') && mayNotify(),
  };
}

function choose(choice: Partial<Alerts>): void {
  alerts.value = { ...alerts.peek(), ...choice };
  const chosen = Object.entries(alerts.peek()).flatMap(([name, isOn]) => (isOn ? [name] : []));
  localStorage.setItem(KEY, chosen.join(' '));
}

/** Whether something must be watched while nobody sees the page. */
export const isWatching = computed(() => alerts.value.sound || alerts.value.notifications);

// A page may make no sound before somebody has touched it.
let audio: AudioContext | null = null;
const isAudible = signal(false);

export const waitsForTouch = computed(() => alerts.value.sound && !isAudible.value);

export async function turnSound(isOn: boolean): Promise<void> {
  choose({ sound: isOn });
  if (!isOn) return;
  await allowSound();
  ring();
}

/** Only a touch or a key may call this. */
export async function allowSound(): Promise<void> {
  audio ??= new AudioContext();
  await audio.resume();
  isAudible.value = audio.state === 'running';
}

const NOTES = [
  { hertz: 659, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.16 },
] as const;
const LOUDNESS = 0.35;
const FADE_SECONDS = 0.5;

/** Two notes, made here. */
export function ring(): void {
  if (!alerts.peek().sound || audio?.state !== 'running') return;
  for (const { hertz, atSeconds } of NOTES) {
    const begin = audio.currentTime + atSeconds;
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(LOUDNESS, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + FADE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + FADE_SECONDS);
  }
}

function mayNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted';
}

/** Returns why it stays off, in words; null if it is as it was asked for. */
export async function turnNotifications(isOn: boolean): Promise<string | null> {
  if (!isOn) {
    choose({ notifications: false });
    return null;
  }
  if (!('Notification' in globalThis)) return texts.alerts.impossible;
  if ((await Notification.requestPermission()) !== 'granted') return texts.alerts.refused;
  choose({ notifications: true });
  // Some phones allow no notifications of a page: one shows whether this one does.
  const isShown = show({ title: texts.alerts.nowOn, body: '', tag: 'console' });
  return isShown ? null : texts.alerts.impossible;
}

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** The same from several tabs is shown once. */
  readonly tag: string;
}

/** For who does not see the page. */
export function notify(notice: Notice): void {
  if (alerts.peek().notifications && document.visibilityState !== 'visible') show(notice);
}

function show({ title, ...options }: Notice): boolean {
  try {
    const shown = new Notification(title, { ...options, icon: `${consolePath}icon.svg` });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return true;
  } catch {
    choose({ notifications: false });
    return false;
  }
}
