// Checks every page and dialog in German.
process.env.TEST_PAGES = 'german';
await import('./pages.mjs');
