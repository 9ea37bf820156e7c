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

const exportAll = {
  selector: 'ExportAllDeclaration',
  message: 'Name what you export, so that a reader finds it and a change of it shows.',
};

/** Refuses imports of the folders, by package name or by path, static or dynamic. */
function refuseImports(
  files: readonly string[],
  folders: readonly string[],
  message: string,
): Linter.Config<Linter.RulesRecord> {
  const pattern = `^(?:\\.{1,2}/)*(?:${folders.join('|')})(?:/|$)`;
  const dynamic = `ImportExpression > Literal[value=/${pattern.replaceAll('/', '\\/')}/]`;
  return {
    files: [...files],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: pattern, message }] }],
      'no-restricted-syntax': ['error', exportAll, { selector: dynamic, message }],
    },
  };
}

/** A folder may not import another one. */
const folderBoundaries = topLevelFolders.map((folder) =>
  refuseImports(
    [`${folder}/**/*.{ts,tsx,js,mjs}`],
    topLevelFolders.filter((other) => other !== folder),
    `${folder} and other top-level folders are released apart and never import each other. Put what both need into packages/contracts (types, schemas) or packages/design-tokens (looks), or ask for it through ShellApi.`,
  ),
);

/** What is linked in must not know who links it. */
const packageBoundary = refuseImports(
  ['packages/**/*.{ts,tsx,js,mjs}'],
  topLevelFolders,
  'packages/ is linked into every folder and depends on none. Take what you need as a parameter instead.',
);

export default defineConfig(
  { ignores: ['**/dist/', '**/.data/', '**/.turbo/', '**/test-results/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  typescript.configs.strict,
  typescript.configs.stylistic,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Such an import would still load the module: a schema library, for the sake of a type.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-restricted-syntax': ['error', exportAll],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/config.ts'],
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
  // The benchmarks of the page put the sources of all parts together in other ways, to compare them.
  {
    files: ['bench/src/page/{assembly,variants}/**/*.{ts,tsx}', 'bench/src/growth/store-actions.ts'],
    rules: { 'no-restricted-imports': 'off', 'no-restricted-syntax': ['error', exportAll] },
  },
  packageBoundary,
);
