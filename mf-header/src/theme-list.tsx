import { Icon } from '@countersign/icon';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { Check } from 'lucide';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { themeOptions } from './theme-options.ts';
import styles from './theme-menu.module.css';

interface ThemeListProps {
  readonly theme: ShellApi['theme'];
  /** Focus target: the first option (keyboard users), or the menu, so that no option is marked (pointer users). */
  readonly focus: 'first' | 'menu';
  /** Called on a press or focus outside of the menu and the button beside it. */
  onClose(): void;
  /** Called after a choice or Escape. The focus returns to the button. */
  onDone(): void;
}

/** The open menu, with arrow keys, Home, End and type-ahead (ARIA menu button pattern). */
// blind spot (theme.preference → true, without onPointer, true → false): a test sees missing icons. The rest is cosmetic.
export function ThemeList({ theme, focus, onClose, onDone }: ThemeListProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const target = focus === 'first' ? menu.current?.querySelector('button') : menu.current;
    target?.focus({ preventScroll: true });
  }, [focus]);

  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (!menu.current?.parentElement?.contains(target as Node)) onClose();
    };
    // blind spot: equivalent, because either event closes it.
    document.addEventListener('pointerdown', closeOutside);
    // blind spot: equivalent, because either event closes it.
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [onClose]);

  function handleKey(event: KeyboardEvent) {
    const { key } = event;
    const options = [...(menu.current?.querySelectorAll('button') ?? [])];
    const focused = options.findIndex((option) => option === document.activeElement);
    const last = options.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(focused + 1, last),
      ArrowUp: focused < 0 ? last : Math.max(focused - 1, 0),
      Home: 0,
      End: last,
      // It must not leave the open menu.
      Tab: focused,
    };
    const byLetter = themeOptions.findIndex(({ preference }) => preference.startsWith(key.toLowerCase()));
    options[targets[key] ?? byLetter]?.focus();
    if (key === 'Escape') onDone();
    // The default action of a letter stays, because it may belong to a shortcut of the browser.
    else if (!(key in targets)) return;
    event.preventDefault();
  }

  // blind spot (1 → 2, without type, without tabIndex): equivalent, because Tab does not leave the menu, and there is no form.
  return (
    <div
      ref={menu}
      role="menu"
      aria-label="Theme"
      tabIndex={-1}
      className={styles.menu}
      onKeyDown={handleKey}
    >
      {themeOptions.map(({ preference, label, icon }) => (
        <button
          key={preference}
          type="button"
          role="menuitemradio"
          aria-checked={preference === theme.preference}
          tabIndex={-1}
          className={styles.item}
          onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
          onPointerLeave={() => menu.current?.focus({ preventScroll: true })}
          onClick={() => {
            theme.setPreference(preference);
            onDone();
          }}
        >
          <Icon icon={icon} />
          {label}
          {preference === theme.preference ? (
            <span className={styles.indicator}>
              <Icon icon={Check} />
            </span>
          ) : null}
        </button>
      ))}
    </div>
  );
}
