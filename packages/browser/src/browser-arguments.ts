/** Arguments of Chromium for tests and pictures. */
export const browserArguments = [
  // Tests run as root on build machines, where Chromium's sandbox does not start.
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
