import eslint from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import type { Linter } from 'eslint';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

/** Folders that run somewhere. They meet only in `packages/`. */
const topLevelFolders = [
  'shell',
  'mf-header',
  'mf-content',
  'mf-pricing',
  'mf-leads',
  'lead-service',
  'release',
  'e2e',
  'bench',
] as const;

/** A folder may not import another one, be it by package name or by path. */
const folderBoundaries = topLevelFolders.map((folder): Linter.Config => {
  const others = topLevelFolders.filter((other) => other !== folder).join('|');
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?:(?:\\.\\./)+)?(?:${others})(?:/|$)`,
              message: `${folder} and other top-level folders are released apart and never import each other. Put what both need into packages/contracts (types, schemas) or packages/design-tokens (looks), or ask for it through ShellApi.`,
            },
          ],
        },
      ],
    },
  };
});

/** What is linked in must not know who links it. */
const packageBoundary: Linter.Config = {
  files: ['packages/**/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(?:(?:\\.\\./)+)?(?:${topLevelFolders.join('|')})(?:/|$)`,
            message:
              'packages/ is linked into every folder and depends on none. Take what you need as a parameter instead.',
          },
        ],
      },
    ],
  },
};

export default defineConfig(
  { ignores: ['**/dist/', '**/.data/', '**/.turbo/', '**/test-results/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  typescript.configs.strict,
  typescript.configs.stylistic,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'Name what you export, so that a reader finds it and a change of it shows.',
        },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/config.ts', '**/playwright.config.ts', '**/build-version.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment in config.ts, parse it there, and pass on what you need.',
        },
      ],
    },
  },
  {
    files: ['{shell,mf-*}/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.recommended],
    languageOptions: { globals: globals.browser },
  },
  // The methods of a stub are empty because nothing is to happen.
  {
    files: ['**/*.test.{ts,tsx}', '**/shell-stub.ts'],
    rules: { '@typescript-eslint/no-empty-function': 'off' },
  },
  { files: ['*.mjs'], languageOptions: { globals: globals.node } },
  { files: ['jest.css-modules.ts'], languageOptions: { globals: globals.commonjs } },
  ...folderBoundaries,
  packageBoundary,
);
