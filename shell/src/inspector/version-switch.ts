import { overrideParameter } from '@countersign/contracts/override-parameter';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { clearOverrideToken } from '../override/override-token.ts';
import { versionOf } from './describe-block.ts';
import { button, element } from './element.ts';
import type { PageBlock } from './page-blocks.ts';
import { linkToChoice, versionsOf, type VersionChoice } from './page-versions.ts';
import { tokenError, tokenIn } from './signed-link.ts';
import styles from './boundaries.module.css';

export interface SwitchContext {
  readonly release: ReleaseDocument;
  readonly choice: VersionChoice;
  /** Whether the site has a key for signed links. */
  readonly acceptsLinks: boolean;
  /** Loads another URL of this page. */
  readonly open: (href: string) => void;
}

interface VersionSwitch {
  readonly root: HTMLElement;
  /** Marks the option that the block shows. */
  update(): void;
}

/**
 * The versions that this page may load: those of its release, whose hashes it contains. For others it shows how to get a
 * signed link, because the page must not trust a version that only a URL names.
 */
export function versionSwitch(block: PageBlock, context: SwitchContext): VersionSwitch {
  const { remote } = block;
  const { release, choice } = context;
  const known = versionsOf(release, remote);
  /** A version that the release does not contain comes from a signed link, which precedes the choice. */
  const isOverridden = () => {
    const shown = versionOf(block);
    return shown !== undefined && !known.some(({ version }) => version.version === shown);
  };
  const option = (text: string, version: string | undefined) => {
    const href = linkToChoice(location.href, choice, remote, version);
    const link = element('a', { class: styles['option'], href }, text);
    link.addEventListener('click', () => {
      if (isOverridden()) clearOverrideToken();
    });
    return { link, version };
  };
  const options = [
    option('as visitors', undefined),
    ...known.map(({ role, version }) => option(`${version.version} · ${role}`, version.version)),
  ];
  const root = element(
    'div',
    { class: styles['switch'] },
    element('p', { class: styles['hint'] }, `Load the page with ${remote}`),
    element(
      'div',
      { role: 'group', 'aria-label': `Version of ${remote}`, class: styles['options'] },
      ...options.map(({ link }) => link),
    ),
    otherVersion(remote, context),
  );
  return {
    root,
    update() {
      for (const { link, version } of options) {
        if (choice.get(remote) === version && !isOverridden()) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
  };
}

function otherVersion(remote: RemoteName, context: SwitchContext): HTMLElement {
  const summary = element('summary', {}, 'Another stored version');
  const hint = (text: string) => element('p', { class: styles['hint'] }, text);
  if (!context.acceptsLinks) {
    const text = 'This site accepts no signed links, because its release was made without OVERRIDE_KEY.';
    return element('details', { class: styles['other'] }, summary, hint(text));
  }
  const command = `npm run -s release -- override ${remote} --version <version> --site ${location.origin}`;
  const link = element('input', {
    class: styles['input'],
    'aria-label': `Signed link for ${remote}`,
    placeholder: 'Paste the link here',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const message = element('p', { class: styles['hint'], role: 'status' });
  const form = element(
    'form',
    { class: styles['form'] },
    link,
    element('button', { class: styles['button'] }, 'Open'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = tokenIn(link.value);
    const error = tokenError(token, remote, Date.now());
    message.textContent = error ?? '';
    if (token === undefined || error !== undefined) return;
    const url = new URL(linkToChoice(location.href, context.choice, remote, undefined));
    url.searchParams.set(overrideParameter, token);
    context.open(url.href);
  });
  const copy = button('Copy', styles['button'], () => {
    navigator.clipboard.writeText(command).then(
      () => (message.textContent = 'Copied.'),
      () => (message.textContent = 'The browser does not allow copying. Select the command instead.'),
    );
  });
  return element(
    'details',
    { class: styles['other'] },
    summary,
    hint(
      'This page contains the hashes of its own release only. Any other version needs a link that an owner of the part signs:',
    ),
    element('div', { class: styles['command'] }, element('code', {}, command), copy),
    form,
    message,
  );
}
