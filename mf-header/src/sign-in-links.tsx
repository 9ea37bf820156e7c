import { loginAddress, type ShellApi } from '@countersign/contracts/shell-api';
import styles from './sign-in-links.module.css';

interface SignInLinksProps {
  readonly layout: 'row' | 'column';
  readonly page: ShellApi['page'];
}

/** Both links lead to the login page, because a trial starts with an account. */
export function SignInLinks({ layout, page }: SignInLinksProps) {
  return (
    <div className={styles[layout]}>
      <a className={styles.quiet} href={loginAddress(page)}>
        Sign In
      </a>{' '}
      <a className={styles.primary} href={loginAddress(page)}>
        Start Free Trial
      </a>
    </div>
  );
}
