import { brand } from '@countersign/contracts/brand';
import styles from './not-found-page.module.css';

/** Any path but `/`. The server has answered with status 404 already. */
export function NotFoundPage() {
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>404 Page Not Found</h1>
      <p className={styles.hint}>Did you forget to add the page to the router?</p>
      <p>
        There is nothing at <code className={styles.path}>{location.pathname}</code>.
      </p>
      <a className={styles.home} href="/">
        Back to {brand}
      </a>
    </main>
  );
}
