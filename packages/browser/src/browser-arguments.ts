/** Arguments of every Chromium that is driven: no background traffic, and no dialogs. */
export const browserArguments = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Build machines run as root, where Chromium's sandbox does not start.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
