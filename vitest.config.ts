import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', './test-totals.ts'],
    globalSetup: [
      'packages/storage/testing/global-setup.ts',
      'packages/limits/testing/global-setup.ts',
      'tests/conformance/python/global-setup.ts',
      'tests/browser/global-setup.ts',
    ],
    exclude: ['**/node_modules/**', '.runtime/**', '.cache/**'],
    pool: 'threads',
    maxWorkers: 2,
    // Long, so that it ends hanging tests but not those that are slow on a busy machine.
    testTimeout: 180_000,
    // A busy machine takes longer than vitest's default of one second.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 180_000,
  },
})
