import type { VendorQuirks } from '../vendor-quirks.ts'

/** The quirks of a vendor that follows its format exactly. */
export const plainQuirks: VendorQuirks = {
  takesStreamOptions: false,
  outputBoundField: undefined,
  reasoningBoundField: undefined,
  refusesReasoning: false,
  refusesDeveloper: false,
  takesOpenRouterWords: false,
  schemas: undefined,
}
