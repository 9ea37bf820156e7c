/**
 * Entry of the federated variant. It is asynchronous, because shared modules must be initialised before the
 * first import of one.
 */
void import('./federated-page.tsx');
