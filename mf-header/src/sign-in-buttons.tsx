import type { ShellApi } from '@countersign/contracts/shell-api';
import styles from './sign-in-buttons.module.css';

interface SignInButtonsProps {
  readonly layout: 'row' | 'column';
  readonly shell: ShellApi;
}

/** Both lead to the login page: an account begins there with its trial. */
export function SignInButtons({ layout, shell }: SignInButtonsProps) {
  return (
    <div className={styles[layout]}>
      <button type="button" className={styles.quiet} onClick={() => shell.signIn()}>
        Sign In
      </button>
      <button type="button" className={styles.primary} onClick={() => shell.signIn()}>
        Start Free Trial
      </button>
    </div>
  );
}
