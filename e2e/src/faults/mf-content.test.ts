import { testFaultsOf } from './part-faults.ts';

testFaultsOf('mf-content');
