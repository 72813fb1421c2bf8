import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  test: {
    environment: 'jsdom',
    // By default, one processor is left to the main process, which mostly waits.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.mjs'],
    setupFiles: ['src/testing/setup.ts'],
  },
});
