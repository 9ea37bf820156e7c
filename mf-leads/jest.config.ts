import { browserTests } from '@countersign/jest-config';

export default browserTests;
