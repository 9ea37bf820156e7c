/** A network and a processor that visitors have. */
export interface Profile {
  readonly title: string;
  /** Added to the answer of every request, in milliseconds. */
  readonly latency: number;
  /** In bits per second; -1: not limited. */
  readonly download: number;
  readonly upload: number;
  /** How many times slower than this machine. */
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
