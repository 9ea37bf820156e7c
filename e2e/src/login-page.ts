import type { BrowserContext, Page } from '@playwright/test';

/** Where every button that signs in or starts a trial leads to. */
export const loginAddress = 'https://app.countersign.example/login';

const application = 'https://app.countersign.example/**';

/** Stands in for the application behind the login, which is not part of the site. */
export async function standInForApplication(target: BrowserContext | Page): Promise<void> {
  await target.route(application, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>The application</title>' }),
  );
}

/** The application answers without a page, so that the browser stays where it is, as it does before any answer. */
export async function withholdApplication(target: BrowserContext | Page): Promise<void> {
  await target.route(application, (route) => route.fulfill({ status: 204 }));
}
