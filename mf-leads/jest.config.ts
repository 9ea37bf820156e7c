import type { Config } from 'jest';
import { browserTests } from '@countersign/jest-config';

const config: Config = { ...browserTests, testEnvironment: './src/testing/browser-with-fetch.ts' };

export default config;
