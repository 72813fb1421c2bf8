import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // By default, one processor is left to the main process, which mostly waits.
    maxWorkers: availableParallelism(),
    // A process runs many files, so it loads packages only once.
    poolOptions: { forks: { isolate: false } },
    projects: [
      {
        esbuild: { jsx: 'automatic' },
        test: {
          name: 'panel',
          // In its process, each file has its own instances and mocks of the panel's modules.
          isolate: true,
          environment: 'src/testing/environment.ts',
          testTimeout: 20_000,
          include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.mjs'],
          setupFiles: ['src/testing/setup.ts'],
        },
      },
    ],
  },
});
