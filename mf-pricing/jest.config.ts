import { browserTests } from '../jest.base.ts';

export default browserTests;
