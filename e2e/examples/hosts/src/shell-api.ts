import type { ShellApi } from '../types/shell-api';

const appHost = 'https://app.countersign.example';

export const shellApi: ShellApi = {
  page: { releaseId: 'intranet', appHost },
  // The intranet has no choice of themes.
  theme: { preference: 'system', setPreference: () => undefined },
  notify: ({ title, description = '' }) => window.alert(`${title}\n${description}`),
  signIn: () => window.location.assign(new URL('/login', appHost)),
  scrollToSection: (id) => document.getElementById(id)?.scrollIntoView(),
};
