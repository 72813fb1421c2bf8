// Checks every dialog in both schemes, forbidden scripts, and the keyboard.
process.env.TEST_PAGES = 'dialogs';
await import('./pages.mjs');
