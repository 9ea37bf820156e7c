import { globSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import eslint from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import playwright from 'eslint-plugin-playwright';
import reactHooks from 'eslint-plugin-react-hooks';
import testingLibrary from 'eslint-plugin-testing-library';
import globals from 'globals';
import type { Linter } from 'eslint';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

/** Folders that run somewhere. They meet only in `packages/`. */
const topLevelFolders = globSync('*/package.json', { cwd: import.meta.dirname }).map(dirname);

const exportAll = {
  selector: 'ExportAllDeclaration',
  message: 'Name what you export, so that a reader finds it and a change of it shows.',
};

const buttonWithoutType = {
  selector: 'JSXOpeningElement[name.name="button"]:not(:has(> JSXAttribute[name.name="type"]))',
  message:
    'Give the button a type: without one it submits the form around it, also in the page of another team.',
};

const forced = {
  selector:
    ':not(NewExpression[callee.name="Option"]) > :matches(Literal[value=/(^| )--force(=| --|$)/], TemplateElement[value.raw=/(^| )--force(=| --|$)/])',
  message:
    'A forced release skips the check, and hides what it would say. Run promote or canary with the check, or start the site as npm start does. A version that is broken on purpose is released by releaseBroken of e2e/src/site/running-site.ts.',
};

const shown = ':matches(JSXElement, JSXText[value=/\\S/], JSXExpressionContainer)';

/** Matches expressions in JSX that are text in this project. A bare name may be an element, unless it stands beside text. */
const text =
  'JSXExpressionContainer:has(> :matches(MemberExpression[property.name!="children"], ChainExpression, TemplateLiteral, BinaryExpression, :matches(ConditionalExpression, LogicalExpression):has(> :matches(TemplateLiteral, Literal[value=/./]))))';
const name = 'JSXExpressionContainer:has(> Identifier[name!="children"])';

const textBesideOthers = {
  selector: [
    `${shown} ~ ${text}`,
    `${text} ~ ${shown}`,
    `JSXText[value=/\\S/] ~ ${name}`,
    `${name} ~ JSXText[value=/\\S/]`,
  ].join(', '),
  message:
    'Write the text as one template string, in an element without other children. React changes a text beside others in a text node of its own, which a translated page no longer has.',
};

/**
 * Rooms inside a source folder, and files at its top that rooms import, lowest first. Each imports only what stands before it. What is
 * not named, such as an entry point, stands above all.
 */
const layers = {
  'lead-service': [
    'platform',
    'database',
    'http',
    'lead-store',
    'rate-limit',
    'page-reports',
    'intake',
    'observability',
    'delivery',
    'admin',
    'cli',
  ],
  release: [
    'platform',
    'store',
    'page',
    'deploy',
    'site-server',
    'release-server',
    'check',
    'canary',
    'board',
    'cli',
  ],
  shell: [
    'theme',
    'page',
    'canary',
    'federation',
    'toast',
    'loading-overlay',
    'slot',
    'recovery',
    'page-reports',
    'splash',
    'document',
  ],
  'mf-leads': ['data', 'form', 'dialog'],
  e2e: ['config.ts', 'browser', 'driver', 'site', 'checks'],
  bench: ['platform', 'page', 'leads'],
  'packages/webpack-config': ['browser', 'mutants', 'base', 'fragments', 'part', 'development'],
} as const;

const wait =
  'Wait for a condition: t.waitFor of node:test, waitFor of Testing Library, expect of Playwright. A sleep is too short on another machine.';

interface RefusedImport {
  /** Matches what an import statement names. */
  readonly regex: string;
  readonly message: string;
}

/** Refuses imports in some files, static or dynamic. Only the last rule that names a file holds for it. */
function refuseImports(
  files: readonly string[],
  ignores: readonly string[],
  refused: readonly RefusedImport[],
): Linter.Config<Linter.RulesRecord> {
  const dynamic = refused.map(({ regex, message }) => ({
    selector: `ImportExpression > Literal[value=/${regex.replaceAll('/', '\\/')}/]`,
    message,
  }));
  return {
    files: [...files],
    ...(ignores.length > 0 && { ignores: [...ignores] }),
    rules: {
      'no-restricted-imports': ['error', { patterns: refused.map((pattern) => ({ ...pattern })) }],
      'no-restricted-syntax': ['error', exportAll, buttonWithoutType, forced, textBesideOthers, ...dynamic],
    },
  };
}

const parentFolders = '^(?:\\.{1,2}/)*';

function refuseFolders(folders: readonly string[], message: string): RefusedImport {
  return { regex: `${parentFolders}(?:${folders.join('|')})(?:/|$)`, message };
}

/** A top-level folder may not import another one. Blind spots are those of the check, so they are found with its sources. */
function refuseOtherFolders(folder: string): RefusedImport {
  const allowed = folder === 'blind-spots' ? [folder, 'release'] : [folder];
  return refuseFolders(
    topLevelFolders.filter((other) => !allowed.includes(other)),
    `${folder} and other top-level folders are released apart and never import each other. Put what both need into packages/contracts (types, schemas) or packages/design-tokens (looks), or ask for it through ShellApi.`,
  );
}

const folderBoundaries = topLevelFolders.map((folder) =>
  refuseImports([`${folder}/**/*.{ts,tsx,js,mjs}`], [], [refuseOtherFolders(folder)]),
);

/** What is linked in must not know who links it. */
const refuseLinkingFolders: RefusedImport = {
  // Two levels up at least: a package may have a folder of the same name.
  regex: `^(?:(?:\\.\\./){2,})?(?:${topLevelFolders.join('|')})(?:/|$)`,
  message:
    'packages/ is linked into every folder and depends on none. Take what you need as a parameter instead.',
};

/** The layers of a folder, and above them what `layers` does not name of it. */
function allLayers(folder: keyof typeof layers): string[] {
  const named: readonly string[] = layers[folder];
  const entries = readdirSync(`${import.meta.dirname}/${folder}/src`);
  const sources = entries.filter((entry) => entry !== 'testing' && /^[\w-]+(\.tsx?)?$/.test(entry));
  return [...named, ...sources.filter((entry) => !named.includes(entry))];
}

function refuseLayersAbove(layer: string, order: readonly string[]): RefusedImport {
  // What only tests use stands above all.
  const above = [...order.slice(order.indexOf(layer) + 1), 'testing'];
  // In a room `../` and not `./`: a folder of the same name may stand inside it.
  const top = isFile(layer) ? '\\./' : '(?:\\.\\./)+';
  return {
    regex: `^${top}(?:${above.join('|')})(?:/|$)`,
    message: `${layer} stands below ${above.join(', ')}, so it may not import them. Move what both need into ${layer} or below it, or take it as a parameter.`,
  };
}

function isFile(layer: string): boolean {
  return layer.includes('.');
}

/** Inside a folder imports run one way. Tests may import anything. */
const layerBoundaries = (Object.keys(layers) as (keyof typeof layers)[]).flatMap((folder) => {
  const order = allLayers(folder);
  const ruled = order.filter((layer) => !isFile(layer) || layer === 'config.ts');
  return ruled
    .filter((layer) => layer !== order.at(-1))
    .map((layer) =>
      refuseImports(
        [`${folder}/src/${layer}${isFile(layer) ? '' : '/**/*.{ts,tsx}'}`],
        ['**/*.test.{ts,tsx}'],
        [
          folder.startsWith('packages/') ? refuseLinkingFolders : refuseOtherFolders(folder),
          refuseLayersAbove(layer, order),
        ],
      ),
    );
});

/** Rules that need no types. Those that do are in .oxlintrc.json, because oxlint reads types faster. */
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
      'no-restricted-syntax': ['error', exportAll, buttonWithoutType, forced, textBesideOthers],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: [
      '**/config.ts',
      // Children get a copy of this process's environment.
      'release/src/platform/child-environment.ts',
      // Processes of tests get the environment of the tests.
      'scripts/run-node-tests.ts',
      'e2e/src/site/running-site.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment in config.ts, parse it there, and pass on what you need.',
        },
        { property: 'waitForTimeout', message: wait },
      ],
    },
  },
  {
    files: ['{shell,mf-*,packages/create-remote/template}/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.recommended],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['{shell,mf-*,packages/create-remote/template}/**/*.test.{ts,tsx}'],
    extends: [testingLibrary.configs['flat/react']],
    // Functions of tests that render return actions, and not the queries of Testing Library.
    settings: { 'testing-library/custom-renders': 'off' },
    rules: {
      // Markup is tested as well: slots, hidden drawings, the structure of the document before any script.
      'testing-library/no-container': 'off',
      'testing-library/no-node-access': 'off',
      // Some tests render a second time, as after a reload.
      'testing-library/no-manual-cleanup': 'off',
      'testing-library/no-render-in-lifecycle': ['error', { allowTestingFrameworkSetupHook: 'beforeEach' }],
    },
  },
  {
    files: ['e2e/**/*.ts'],
    extends: [playwright.configs['flat/recommended']],
    rules: {
      'playwright/expect-expect': ['error', { assertFunctionPatterns: ['^expect', '^follow$'] }],
      // Only for the size of the window, or an engine that the machine lacks.
      'playwright/no-skipped-test': ['error', { allowConditional: true }],
      // Conditions depend on the size of the window or on a row of a table. Both are known before the test runs.
      'playwright/no-conditional-in-test': 'off',
      'playwright/no-conditional-expect': 'off',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**', 'e2e/**', 'bench/**'],
    rules: { 'max-lines-per-function': ['error', { max: 80 }] },
  },
  // The methods of a stub may do nothing.
  {
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-empty-function': 'off',
      'no-restricted-globals': ['error', { name: 'setTimeout', message: wait }],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:timers/promises', importNames: ['setTimeout'], message: wait }] },
      ],
    },
  },
  { files: ['scripts/*.mjs'], languageOptions: { globals: globals.node } },
  { files: ['packages/jest-config/src/css-modules.ts'], languageOptions: { globals: globals.commonjs } },
  ...folderBoundaries,
  refuseImports(['packages/**/*.{ts,tsx,js,mjs}'], [], [refuseLinkingFolders]),
  ...layerBoundaries,
  // The benchmarks of the page put the sources of all parts together in other ways, to compare them.
  refuseImports(
    ['bench/src/page/{assembly,variants}/**/*.{ts,tsx}', 'bench/src/page/measure/page-server.ts'],
    [],
    [refuseLayersAbove('page', allLayers('bench'))],
  ),
);
