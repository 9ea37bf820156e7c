import { configure } from '@testing-library/react';

// Generous for a busy machine: the default of one second fails there. A test that passes never waits for it.
configure({ asyncUtilTimeout: 10_000 });
