import type { VendorQuirks } from '../vendor-quirks.ts'

/** Of a vendor that differs from others of its format in nothing. */
export const plainQuirks: VendorQuirks = {
  takesStreamOptions: false,
  outputBoundField: undefined,
  reasoningBoundField: undefined,
  refusesReasoning: false,
  refusesDeveloper: false,
  takesOpenRouterWords: false,
  schemas: undefined,
}
