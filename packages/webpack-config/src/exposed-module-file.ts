/** Source file of an exposed key, relative to the remote's folder: `./pricing` → `./src/pricing.tsx`. */
export function exposedModuleFile(key: string): string {
  return `${key.replace('./', './src/')}.tsx`;
}
