/** Throttling of network and CPU. */
export interface Profile {
  readonly title: string;
  /** Latency of each request, in milliseconds. */
  readonly latency: number;
  /** In bits per second; -1 means unlimited. */
  readonly download: number;
  readonly upload: number;
  /** CPU slowdown factor. */
  readonly slowdown: number;
}

export const profiles = {
  slow: {
    title: 'slow 4G (150 ms, 1.6 Mbit/s), CPU 4 × slower',
    latency: 150,
    download: 1.6e6,
    upload: 0.75e6,
    slowdown: 4,
  },
  fast: {
    title: 'fast 4G (60 ms, 9 Mbit/s), CPU 2 × slower',
    latency: 60,
    download: 9e6,
    upload: 1.5e6,
    slowdown: 2,
  },
  loopback: { title: 'loopback, not slowed', latency: 0, download: -1, upload: -1, slowdown: 1 },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export function isProfileName(name: string): name is ProfileName {
  return name in profiles;
}
