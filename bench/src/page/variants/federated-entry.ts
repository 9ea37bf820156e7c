/** Entry of the page that federation assembles. Shared modules have to be negotiated before the first import of one. */
void import('./federated-page.tsx');
