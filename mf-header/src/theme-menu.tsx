import type { ShellApi } from '@countersign/contracts/shell-api';
import { createTooltipGroup, Tooltip, useTooltip } from '@countersign/tooltip';
import { useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { ThemeList } from './theme-list.tsx';
import { themeOption } from './theme-options.ts';
import styles from './theme-menu.module.css';

export function ThemeMenu({ theme }: { readonly theme: ShellApi['theme'] }) {
  /** Where the focus goes when the menu opens: to its first option for the keyboard, to none for the pointer. */
  const [opened, setOpened] = useState<'first' | 'none'>();
  const [group] = useState(createTooltipGroup);
  const tooltip = useTooltip(group);
  const opener = useRef<HTMLButtonElement>(null);
  const focusComesBack = useRef(false);
  const current = themeOption(theme.preference);

  function open(focus: 'first' | 'none') {
    tooltip.hide();
    setOpened(focus);
  }

  function toggle({ detail }: MouseEvent) {
    if (opened) setOpened(undefined);
    // The keyboard clicks without counting.
    else open(detail === 0 ? 'first' : 'none');
  }

  function openWithArrow(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open('first');
  }

  /** A visitor who has just chosen needs no tooltip. */
  function closeAndFocus() {
    setOpened(undefined);
    focusComesBack.current = true;
    opener.current?.focus();
    focusComesBack.current = false;
  }

  function showTooltip(event: FocusEvent<HTMLElement>) {
    if (!focusComesBack.current) tooltip.trigger.onFocus(event);
  }

  return (
    <div className={styles.root}>
      <button
        {...tooltip.trigger}
        ref={opener}
        type="button"
        className={styles.trigger}
        aria-label="Theme"
        aria-haspopup="menu"
        aria-expanded={opened !== undefined}
        onFocus={showTooltip}
        onClick={toggle}
        onKeyDown={openWithArrow}
      >
        <current.Icon className={styles.icon} aria-hidden="true" />
      </button>
      {opened ? (
        <ThemeList
          theme={theme}
          opener={opener}
          focus={opened}
          onClose={() => setOpened(undefined)}
          onDone={closeAndFocus}
        />
      ) : (
        <Tooltip state={tooltip} side="bottom" align="center" gap={6} margin={8} className={styles.tooltip}>
          Theme: {current.label}
        </Tooltip>
      )}
    </div>
  );
}
