import { orders as texts } from '../../messages.ts';
import { Menu } from '../../parts/menu.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { alerts, turnNotifications, turnSound } from './alerts.ts';

/** How new orders call for attention. Browsers want a click for each. */
export function AlertsMenu() {
  const { sound, notifications } = alerts.value;
  const toggleNotifications = async () => {
    const fault = await turnNotifications(!notifications);
    if (fault !== null) say(fault);
  };
  return (
    <Menu
      label={texts.alerts.title}
      icon={sound || notifications ? 'bell' : 'bellOff'}
      class="icon-on-phone"
    >
      <Switch
        label={texts.alerts.sound}
        isOn={sound}
        onToggle={() => turnSound(!sound).catch(sayFailed)}
      />
      <Switch
        label={texts.alerts.notifications}
        isOn={notifications}
        onToggle={() => toggleNotifications().catch(sayFailed)}
      />
      <p class="soft small alerts-about">{texts.alerts.about}</p>
    </Menu>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => unknown;
}

function Switch({ label, isOn, onToggle }: SwitchProps) {
  return (
    <button
      type="button"
      class="item alert-switch"
      role="switch"
      aria-checked={isOn}
      onClick={onToggle}
    >
      {label}
      <span class="badge">{isOn ? texts.alerts.on : texts.alerts.off}</span>
    </button>
  );
}
