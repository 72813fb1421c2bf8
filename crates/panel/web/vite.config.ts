import { env } from 'node:process';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { textFile } from './tools/text-files.mjs';

/** The address of the server for `npm run dev`. */
const service = env.TIDINGS ?? 'http://127.0.0.1:8080';
const served = ['/api', '/auth', '/platform', '/docs', '/openapi.json'];

/**
 * The files of the build. There are few, instead of one for each module that two pages share. `tools/first-load.mjs`
 * checks the limits of the first load. A group also contains all imports of its modules, unless a group with a higher
 * priority contains them.
 */
const groups = [
  // Otherwise texts that several pages use would be in a file with code, and every language would load that code first.
  { name: textFile, priority: 7 },
  // Everything that the pages for users who are not signed in need.
  { name: 'start', priority: 6, tags: ['$initial' as const] },
  { name: 'shell', priority: 5, test: /web[\\/]src[\\/](app[\\/]shell|home[\\/]page|inbox[\\/]badge)\.tsx$/ },
  // Modules of at least three pages or parts of pages.
  {
    name: 'shared',
    priority: 4,
    minShareCount: 3,
    test: /web[\\/]src[\\/](?!flows[\\/]canvas)|[\\/]@(mantine|tabler|tanstack)[\\/]/,
  },
  // Charts and the canvas use these two.
  { name: 'colors', priority: 3, test: /[\\/]d3-(color|interpolate)[\\/]/ },
  {
    name: 'canvas',
    priority: 2,
    minShareCount: 2,
    test: /[\\/]@xyflow[\\/]|web[\\/]src[\\/]flows[\\/]canvas[\\/]/,
  },
  { name: 'flows', priority: 1, minShareCount: 2, test: /web[\\/]src[\\/]flows[\\/]/ },
];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    // Fonts stay separate files: browsers only load the fonts that a page uses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // For `tools/pack.mjs`, which removes it.
    manifest: true,
    rolldownOptions: {
      // Texts have no side effects, so a file only contains the texts that its pages use.
      treeshake: { moduleSideEffects: [{ test: /[\\/]i18n[\\/]/, sideEffects: false }] },
      output: { codeSplitting: { groups } },
    },
  },
  // The host is not changed, because signing in checks that a request comes from the page's own origin.
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: false }])),
  },
});
