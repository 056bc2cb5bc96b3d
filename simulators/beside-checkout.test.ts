import { expect, test } from 'vitest'
import { missingBesideCheckout } from './beside-checkout.ts'

const missing = missingBesideCheckout()

// Outside CI it may be missing. Then the tests that read it are skipped, and each says so.
test.skipIf(missing.length > 0 && process.env['CI'] !== 'true')(
  'in CI no test is skipped because of missing test data',
  () => expect(missing, 'CI=true wants them: CONTRIBUTING.md says what they are').toEqual([]),
)
