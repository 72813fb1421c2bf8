// Checks every page in both schemes and for all window sizes.
process.env.TEST_PAGES = 'pages';
await import('./pages.mjs');
