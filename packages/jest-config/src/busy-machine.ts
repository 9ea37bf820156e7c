import { configure } from '@testing-library/react';

// Generous for a busy machine: the default of one second fails there. A test that passes never waits for it.
configure({ asyncUtilTimeout: 10_000 });

// A build machine may starve a process. What passes only the second time is printed with its first failure.
if (process.env['CI'] !== undefined) jest.retryTimes(1, { logErrorsBeforeRetry: true });
