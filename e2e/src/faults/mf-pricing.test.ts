import { test } from './faulty-versions.ts';
import { testLatenessOf } from './late-part.ts';
import { testFaultsOf } from './part-faults.ts';

const remote = 'mf-pricing';
// A trace takes a third of a visit's time, and there are many visits.
test.use({ remote, trace: 'off' });

testFaultsOf(remote);
testLatenessOf(remote);
