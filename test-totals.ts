import type { Reporter, TestModule } from 'vitest/node'

/** Prints the last line of every `npm test`: `N passed, N failed`, and `, N skipped` if any was. */
export default class TestTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    let skipped = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
      // A file that could not be loaded has no tests to count, so its errors count as failures.
      failed += module.errors().length
      for (const suite of module.children.allSuites()) failed += suite.errors().length
    }
    process.stdout.write(
      `\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`,
    )
  }
}
