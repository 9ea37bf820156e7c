export interface Platform {
  readonly name: string;
  readonly status: 'Available Now' | 'Coming Soon';
  /** Kind of drawing. */
  readonly device: 'browser' | 'ios' | 'android';
}

export const platforms: readonly Platform[] = [
  { name: 'Web application', status: 'Available Now', device: 'browser' },
  { name: 'iOS app', status: 'Coming Soon', device: 'ios' },
  { name: 'Android app', status: 'Coming Soon', device: 'android' },
];
