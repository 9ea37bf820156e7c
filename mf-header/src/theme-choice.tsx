import { Icon } from '@countersign/icon';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { useId } from 'react';
import { themeOptions } from './theme-options.ts';
import styles from './theme-choice.module.css';

export function ThemeChoice({ theme }: { readonly theme: ShellApi['theme'] }) {
  const group = useId();

  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Theme</legend>
      <div className={styles.options}>
        {themeOptions.map(({ preference, label, icon }) => (
          <label key={preference} className={styles.option}>
            <input
              type="radio"
              className={styles.input}
              // blind spot: the keys of Chromium find the other options without it.
              name={group}
              checked={preference === theme.preference}
              onChange={() => theme.setPreference(preference)}
            />
            <Icon icon={icon} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
