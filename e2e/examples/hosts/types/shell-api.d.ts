type Theme = 'light' | 'dark' | 'system';

/** What parts get from the page. Each version of a part has these types in its folder, as contract/shell-api.d.ts. */
export interface ShellApi {
  readonly page: { readonly releaseId: string; readonly appHost: string };
  readonly theme: { readonly preference: Theme; setPreference(preference: Theme): void };
  notify(notice: { readonly title: string; readonly description?: string }): void;
  signIn(): void;
  scrollToSection(id: string): void;
}
