import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { clearOverrideToken } from './override-token.ts';
import styles from './override-banner.module.css';

/** Shows which version is overridden in this tab, with a button that ends the override. */
export function OverrideBanner({
  override: { part, version, expires },
}: {
  readonly override: DeveloperOverride;
}) {
  const { origin } = new URL(version.entry.url, location.origin);
  const place = origin === location.origin ? 'the store' : origin;
  const time = new Date(expires).toLocaleTimeString('en', {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
  return (
    <aside className={styles.banner} aria-label="Developer override">
      <p className={styles.text}>
        {`${part} ${version.version} comes from ${place}, only in this tab, until ${time}.`}
      </p>
      <button
        type="button"
        className={styles.button}
        onClick={() => {
          clearOverrideToken();
          location.reload();
        }}
      >
        Stop
      </button>
    </aside>
  );
}
