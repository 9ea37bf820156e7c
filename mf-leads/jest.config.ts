import type { Config } from 'jest';
import { browserTests } from '../jest.base.ts';

const config: Config = { ...browserTests, testEnvironment: './src/testing/browser-with-fetch.ts' };

export default config;
