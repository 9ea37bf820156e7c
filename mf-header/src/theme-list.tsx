import { Icon } from '@countersign/icon';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { Check } from 'lucide';
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { themeOptions } from './theme-options.ts';
import styles from './theme-menu.module.css';

interface ThemeListProps {
  readonly theme: ShellApi['theme'];
  /** The button that opened the menu. A press on it is not a press outside. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly focus: 'first' | 'none';
  /** Called on a press or focus outside. */
  onClose(): void;
  /** Called after a choice or Escape. The focus returns to the button. */
  onDone(): void;
}

/** The open menu, with arrow keys, Home, End and type-ahead (ARIA menu button pattern). */
export function ThemeList({ theme, opener, focus, onClose, onDone }: ThemeListProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const first = menu.current?.firstElementChild;
    (focus === 'first' && first instanceof HTMLElement ? first : menu.current)?.focus({
      preventScroll: true,
    });
  }, [focus]);

  useCloseOutside([menu, opener], onClose);

  function handleKey(event: KeyboardEvent) {
    const options = [...(menu.current?.children ?? [])].filter((child) => child instanceof HTMLElement);
    const focused = options.findIndex((option) => option === document.activeElement);
    const { key } = event;
    const next: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(focused + 1, options.length - 1),
      ArrowUp: focused < 0 ? options.length - 1 : Math.max(focused - 1, 0),
      Home: 0,
      End: options.length - 1,
    };
    if (key === 'Escape') onDone();
    else if (Object.hasOwn(next, key)) options[next[key] ?? 0]?.focus();
    else if (/^\S$/.test(key)) {
      const byLetter = themeOptions.findIndex(({ label }) =>
        label.toLowerCase().startsWith(key.toLowerCase()),
      );
      options[byLetter]?.focus();
      // The default action stays, because the letter may belong to a shortcut of the browser.
      return;
    } else if (key !== 'Tab') return;
    // For Tab as well, because it must not leave the open menu.
    event.preventDefault();
  }

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
          <Icon icon={icon} className={styles.icon} />
          {label}
          {preference === theme.preference ? (
            <span className={styles.indicator}>
              <Icon icon={Check} className={styles.icon} />
            </span>
          ) : null}
        </button>
      ))}
    </div>
  );
}

/** Calls back on a press or focus outside of some elements. */
function useCloseOutside(
  [menu, opener]: readonly [RefObject<HTMLElement | null>, RefObject<HTMLElement | null>],
  onClose: () => void,
): void {
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const inside = [menu.current, opener.current].some((part) => part?.contains(target as Node));
      if (!inside) onClose();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [menu, opener, onClose]);
}
