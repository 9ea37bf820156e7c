import { Icon } from '@countersign/icon';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { createTooltipGroup, Tooltip, useTooltip } from '@countersign/tooltip';
import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { ThemeList } from './theme-list.tsx';
import { themeOptions } from './theme-options.ts';
import styles from './theme-menu.module.css';

export function ThemeMenu({ theme }: { readonly theme: ShellApi['theme'] }) {
  /** Focus target in the open menu: the first option for keyboard users, none for pointer users. `undefined`: it is closed. */
  const [menuFocus, setMenuFocus] = useState<'first' | 'menu'>();
  const [group] = useState(createTooltipGroup);
  const tooltip = useTooltip(group);
  const opener = useRef<HTMLButtonElement>(null);
  // Each preference has an option, so the fallback only satisfies the type.
  const current = themeOptions.find(({ preference }) => preference === theme.preference) ?? themeOptions[2];

  function open(focus: 'first' | 'menu') {
    // blind spot: equivalent, because a press, and the focus of the menu, hide it as well.
    tooltip.hide();
    setMenuFocus(focus);
  }

  function toggle({ detail }: MouseEvent) {
    if (menuFocus) setMenuFocus(undefined);
    // Clicks by keyboard have a `detail` of 0.
    // blind spot ('menu' →): equivalent, because all but 'first' leave the options alone.
    else open(detail === 0 ? 'first' : 'menu');
  }

  function openWithArrow(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return;
    // blind spot: no step sees that the page moves by some pixels.
    event.preventDefault();
    open('first');
  }

  function closeAndFocus() {
    setMenuFocus(undefined);
    opener.current?.focus();
    // The focus has opened the tooltip.
    tooltip.hide();
  }

  // blind spot (without type, without aria-haspopup, without aria-expanded, menuFocus !==): there is no form, and tests hear the state.
  return (
    <div className={styles.root}>
      <button
        {...tooltip.trigger}
        ref={opener}
        type="button"
        className={styles.trigger}
        aria-label="Theme"
        aria-haspopup="menu"
        aria-expanded={menuFocus !== undefined}
        onClick={toggle}
        onKeyDown={openWithArrow}
      >
        <Icon icon={current.icon} />
      </button>
      {menuFocus ? (
        <ThemeList
          theme={theme}
          focus={menuFocus}
          onClose={() => setMenuFocus(undefined)}
          onDone={closeAndFocus}
        />
      ) : (
        // blind spot (without side, without align, without gap, without margin): cosmetic, where the tooltip stands.
        <Tooltip state={tooltip} side="bottom" align="center" gap={6} margin={8} className={styles.tooltip}>
          {`Theme: ${current.label}`}
        </Tooltip>
      )}
    </div>
  );
}
