// Loaded on demand, so that the shared modules are chosen before a module imports them.
void import('./intranet');
