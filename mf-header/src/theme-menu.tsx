import type { ShellApi } from '@countersign/contracts/shell-api';
import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import * as Tooltip from '@radix-ui/react-tooltip';
import { Check } from 'lucide-react';
import { useRef, useState, type FocusEvent } from 'react';
import { themeOption, themeOptions } from './theme-options.ts';
import styles from './theme-menu.module.css';

const tooltipDelays = { delayDuration: 700, skipDelayDuration: 300 } as const;

export function ThemeMenu({ theme }: { readonly theme: ShellApi['theme'] }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const [hinted, setHinted] = useState(false);
  const focusComesBack = useRef(false);
  const current = themeOption(theme.preference);

  function announceReturn() {
    focusComesBack.current = true;
    setTimeout(() => {
      focusComesBack.current = false;
    });
  }

  /** A menu that closes hands the focus back; somebody who has just chosen needs no tooltip. */
  function ignoreReturn(event: FocusEvent) {
    if (focusComesBack.current) event.preventDefault();
  }

  return (
    <Tooltip.Provider {...tooltipDelays}>
      {/* Not modal: three options are no reason to lock the page's scrolling. */}
      <DropdownMenu.Root modal={false} open={menuOpen} onOpenChange={setMenuOpen}>
        <Tooltip.Root open={hinted && !menuOpen} onOpenChange={setHinted}>
          <Tooltip.Trigger asChild onFocus={ignoreReturn}>
            <DropdownMenu.Trigger className={styles.trigger} aria-label="Theme">
              <current.Icon className={styles.icon} aria-hidden="true" />
            </DropdownMenu.Trigger>
          </Tooltip.Trigger>
          <Tooltip.Portal>
            <Tooltip.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
              Theme: {current.label}
            </Tooltip.Content>
          </Tooltip.Portal>
        </Tooltip.Root>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className={styles.menu}
            align="end"
            sideOffset={6}
            collisionPadding={8}
            onCloseAutoFocus={announceReturn}
          >
            <DropdownMenu.RadioGroup value={theme.preference}>
              {themeOptions.map(({ preference, label, Icon }) => (
                <DropdownMenu.RadioItem
                  key={preference}
                  value={preference}
                  className={styles.item}
                  onSelect={() => theme.setPreference(preference)}
                >
                  <Icon className={styles.icon} aria-hidden="true" />
                  {label}
                  <DropdownMenu.ItemIndicator className={styles.indicator}>
                    <Check className={styles.icon} aria-hidden="true" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </Tooltip.Provider>
  );
}
