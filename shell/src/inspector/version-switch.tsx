import type { RemoteName } from '@countersign/contracts/remotes';
import { useState } from 'react';
import { clearOverrideToken } from '../override/override-token.ts';
import { versionOf } from './describe-block.ts';
import type { InspectedPage, PageBlock } from './page-blocks.ts';
import { linkToChoice, versionsOf } from './page-versions.ts';
import styles from './overlay.module.css';

interface VersionSwitchProps {
  readonly block: PageBlock;
  readonly page: InspectedPage;
}

/**
 * The versions that this page may load: those of its release, whose hashes it contains. For others it shows how to get a
 * signed link, because the page must not trust a version that only a URL names.
 */
export function VersionSwitch({ block, page }: VersionSwitchProps) {
  const { remote } = block;
  const known = versionsOf(page.release, remote);
  const shown = versionOf(block);
  /** A version that the release does not contain comes from a signed link, which takes precedence over the choice. */
  const isOverridden = shown !== undefined && !known.some(({ version: { version } }) => version === shown);
  const options = [
    { text: 'as visitors', version: undefined },
    ...known.map(({ role, version: { version } }) => ({ text: `${version} · ${role}`, version })),
  ];
  return (
    <div className={styles.switch}>
      <p className={styles.hint}>{`Load the page with ${remote}`}</p>
      <div role="group" aria-label={`Version of ${remote}`} className={styles.options}>
        {options.map(({ text, version }) => (
          <a
            key={text}
            className={styles.option}
            href={linkToChoice(location.href, page.choice, remote, version)}
            aria-current={(page.choice.get(remote) === version && !isOverridden) || undefined}
            onClick={() => {
              if (isOverridden) clearOverrideToken();
            }}
          >
            {text}
          </a>
        ))}
      </div>
      <details className={styles.other}>
        <summary>Another stored version</summary>
        {page.acceptsLinks ? (
          <SigningCommand remote={remote} />
        ) : (
          <p className={styles.hint}>
            This site accepts no signed links, because its release was made without OVERRIDE_KEY.
          </p>
        )}
      </details>
    </div>
  );
}

/** The command that signs a link. */
function SigningCommand({ remote }: { readonly remote: RemoteName }) {
  const [message, setMessage] = useState('');
  const command = `npm run -s release -- override ${remote} --version <version> --site ${location.origin}`;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => setMessage('Copied.'),
      () => setMessage('The browser does not allow copying. Select the command instead.'),
    );
  return (
    <>
      <p className={styles.hint}>
        This page contains the hashes of its own release only. Any other version needs a link that an owner of
        the part signs. Open it in this tab, then this page again:
      </p>
      <div className={styles.command}>
        <code>{command}</code>
        <button type="button" className={styles.button} onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p className={styles.hint} role="status">
        {message}
      </p>
    </>
  );
}
