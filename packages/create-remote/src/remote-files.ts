/** Names that belong to a remote. */
export interface RemoteNames {
  /** Folder and package, such as `mf-faq`. */
  readonly remote: string;
  /** Source file of the component and its exposed key without `./`, such as `faq`. */
  readonly file: string;
  /** Component, such as `Faq`. */
  readonly component: string;
  /** Heading of the section, such as `Faq`. */
  readonly title: string;
}

/** Derives the names of a remote from the name of its folder. */
export function namesOf(remote: string): RemoteNames {
  const file = remote.replace('mf-', '');
  const words = file.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return { remote, file, component: words.join(''), title: words.join(' ') };
}

/**
 * Files of a new remote, by path in its folder: one section with a heading, its test, and what builds it.
 *
 * @param reactVersion the version that the page provides
 */
export function remoteFiles(
  { remote, file, component, title }: RemoteNames,
  reactVersion: string,
): Readonly<Record<string, string>> {
  const packageJson = {
    name: remote,
    version: '1.0.0',
    private: true,
    description: `Remote: ${title}.`,
    type: 'module',
    scripts: { build: 'webpack', test: 'jest' },
    dependencies: { '@countersign/contracts': '1.0.0', react: reactVersion, 'react-dom': reactVersion },
    devDependencies: { '@countersign/jest-config': '1.0.0', '@countersign/webpack-config': '1.0.0' },
  };
  const tsconfig = {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: ['node', 'jest', '@testing-library/jest-dom', '@countersign/webpack-config/assets'],
    },
    include: ['**/*.ts', '**/*.tsx', 'package.json'],
    references: [
      { path: '../packages/contracts' },
      { path: '../packages/jest-config' },
      { path: '../packages/webpack-config' },
    ],
    exclude: ['dist', 'node_modules'],
  };
  return {
    'package.json': JSON.stringify(packageJson),
    'tsconfig.json': JSON.stringify(tsconfig),
    'jest.config.ts': `import { browserTests } from '@countersign/jest-config';

export default browserTests;
`,
    'webpack.config.ts': `import { buildVersion } from '@countersign/webpack-config/build-version';
import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
import packageJson from './package.json' with { type: 'json' };
import { remote } from './remote.ts';

export default createRemoteConfig({
  root: import.meta.dirname,
  remote,
  version: buildVersion(packageJson.version),
});
`,
    'remote.ts': `import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: '${remote}',
  exposes: { './${file}': () => import('./src/${file}.tsx') },
  hydration: { './${file}': 'visible' },
  // Kilobytes, compressed with Brotli: \`release check\` refuses a version that is over it.
  budget: { markup: 1, style: 1, script: 4 },
} satisfies RemoteDefinition<'${remote}'>;
`,
    'remote.test.ts': `/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partManifest, partManifestFile } from '@countersign/contracts/part-manifest';
import { remote } from './remote.ts';

it('the built part exposes exactly what remote.ts says', () => {
  const built = partManifest.parse(
    JSON.parse(readFileSync(join(__dirname, 'dist', partManifestFile), 'utf8')),
  );
  expect(built.name).toBe(remote.name);
  expect(Object.keys(built.exposes)).toEqual(Object.keys(remote.exposes));
  for (const chunk of Object.values(built.exposes)) expect(chunk.scripts).not.toHaveLength(0);
});
`,
    [`src/${file}.tsx`]: `import type { SlotProps } from '@countersign/contracts/shell-api';
import { loginAddress } from '@countersign/contracts/shell-api';
import { useId } from 'react';
import styles from './${file}.module.css';

export default function ${component}({ shell }: SlotProps) {
  const titleId = useId();
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <div className={styles.inner}>
        <h2 id={titleId} className={styles.title}>
          ${title}
        </h2>
        <p>
          <a href={loginAddress(shell.page)}>Sign In</a>
        </p>
      </div>
    </section>
  );
}
`,
    [`src/${file}.module.css`]: `.section {
  padding-block: var(--space-section);
}

.inner {
  display: grid;
  gap: var(--space-4);
  width: min(100% - 2 * var(--space-gutter), var(--width-page));
  margin-inline: auto;
}

.title {
  font: 700 var(--text-2xl) / var(--leading-tight) var(--font-display);
}
`,
    [`src/${file}.test.tsx`]: `import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen } from '@testing-library/react';
import ${component} from './${file}.tsx';

test('${file}: the section has a heading and leads to the login page', () => {
  const shell = createShellStub();
  render(<${component} shell={shell} />);
  expect(screen.getByRole('region', { name: '${title}' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', \`\${shell.page.appHost}/login\`);
});
`,
    'README.md': `# ${remote}

The remote with the section ${title}.

|               |                                                                                       |
| ------------- | ------------------------------------------------------------------------------------- |
| **Exposes**   | \`./${file}\`, see \`remote.ts\`                                                          |
| **Gets**      | the prop \`shell: ShellApi\` from \`@countersign/contracts/shell-api\`, and nothing else  |
| **May touch** | this folder; \`packages/\` by agreement with the other teams; no other top-level folder |
| **When down** | the page shows the previous version; if that fails as well, the prerendered markup    |

## Work on it alone

From the repository's root:

\`\`\`sh
npm run dev -- ${remote}          # in the live page, each saved change at once
npm run dev -- ${remote} --alone  # its components only, in both themes and three widths
npm run dev -- ${remote} --test   # its unit tests, again after each change
npm run build -w ${remote}
npm test -w ${remote}
npx tsc -b ${remote}
\`\`\`

Unit tests render the components with the \`ShellApi\` stub of \`@countersign/contracts/testing/shell-stub\`.
`,
  };
}
