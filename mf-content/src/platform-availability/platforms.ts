import { Globe, Smartphone, type IconNode } from 'lucide';

interface Platform {
  readonly name: string;
  readonly status: 'Available Now' | 'Coming Soon';
  readonly icon: IconNode;
}

export const platforms: readonly Platform[] = [
  { name: 'Web application', status: 'Available Now', icon: Globe },
  { name: 'iOS app', status: 'Coming Soon', icon: Smartphone },
  { name: 'Android app', status: 'Coming Soon', icon: Smartphone },
];
