import { join } from 'node:path';
import type { Config } from 'jest';

/** Settings of the browser parts' unit tests: jsdom, TypeScript transpiled, CSS Modules as their own names. */
export const browserTests: Config = {
  testEnvironment: 'jsdom',
  // Generous for a busy machine; no test waits for it.
  testTimeout: 30_000,
  // No glob, which would take [1] in the name of a folder above for a pattern.
  testRegex: /(?<!\.long)\.test\.tsx?$/.source,
  transform: {
    '\\.[cm]?[jt]sx?$': [
      'ts-jest',
      {
        diagnostics: false,
        tsconfig: {
          allowJs: true,
          esModuleInterop: true,
          isolatedModules: true,
          jsx: 'react-jsx',
          module: 'CommonJS',
          moduleResolution: 'bundler',
          target: 'ES2023',
        },
      },
    ],
  },
  // These packages ship ES modules only, which Jest cannot load as they are.
  transformIgnorePatterns: ['/node_modules/(?!(lucide)/)'],
  moduleNameMapper: { '\\.css$': join(import.meta.dirname, 'css-modules.ts') },
  setupFilesAfterEnv: ['@testing-library/jest-dom', join(import.meta.dirname, 'busy-machine.ts')],
};
