import type { ComponentType } from 'react';
import type { ShellApi } from '../shell-api';

declare const Pricing: ComponentType<{ readonly shell: ShellApi }>;
export default Pricing;
