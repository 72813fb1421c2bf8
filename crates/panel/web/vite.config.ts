import { env } from 'node:process';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the service. */
const service = env.TIDINGS ?? 'http://127.0.0.1:8080';
const served = ['/api', '/auth', '/platform', '/docs', '/openapi.json'];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    // Fonts stay files of their own: the policy of the page allows no others.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The host stays as it is: signing in checks that a request comes from the page's own origin.
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: false }])),
  },
});
